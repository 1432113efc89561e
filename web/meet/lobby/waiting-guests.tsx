import { type FormEvent, useId, useState } from 'react';
import { longestLobbyLine } from '#domain/calls/live-limits.ts';
import type { WaitingGuest } from '#domain/calls/participant.ts';
import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';

type WaitingGuestsProps = {
  meeting: Meeting;
  guests: readonly WaitingGuest[];
  /** How many more are waiting. */
  hidden: number;
};

/** The lobby for a host: admit, deny, send a line. */
export function WaitingGuests({ meeting, guests, hidden }: WaitingGuestsProps) {
  const heading = useId();
  return (
    <section className="lobby-list" aria-labelledby={heading}>
      <header>
        <h3 id={heading}>{laterText('lobby.heading', { count: guests.length + hidden })}</h3>
        {guests.length > 1 && (
          <button
            type="button"
            className="quiet"
            onClick={() => meeting.send({ type: 'admit', guests: guests.map(({ id }) => id) })}
          >
            {laterText('lobby.admitAll')}
          </button>
        )}
      </header>
      <ul>
        {guests.map((guest) => (
          <WaitingRow key={guest.id} meeting={meeting} guest={guest} />
        ))}
      </ul>
      {hidden > 0 && <p className="hint">{laterText('lobby.more', { count: hidden })}</p>}
    </section>
  );
}

function WaitingRow({ meeting, guest: { id, name } }: { meeting: Meeting; guest: WaitingGuest }) {
  const [writes, setWrites] = useState(false);
  return (
    <li>
      <p className="who">{name}</p>
      <button
        type="button"
        className="quiet"
        aria-label={laterText('lobby.writeName', { name })}
        aria-expanded={writes}
        onClick={() => setWrites(!writes)}
      >
        {laterText('lobby.write')}
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={laterText('lobby.refuseName', { name })}
        onClick={() => meeting.send({ type: 'refuse', guest: id })}
      >
        {laterText('lobby.refuse')}
      </button>
      <button
        type="button"
        className="primary"
        aria-label={laterText('lobby.admitName', { name })}
        onClick={() => meeting.send({ type: 'admit', guests: [id] })}
      >
        {laterText('lobby.admit')}
      </button>
      {writes && <LineForm meeting={meeting} id={id} name={name} />}
    </li>
  );
}

function LineForm({ meeting, id, name }: { meeting: Meeting; id: string; name: string }) {
  const [typed, setTyped] = useState('');
  const [sent, setSent] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const line = typed.trim();
    // A line that could not be sent stays in the field.
    if (line === '' || !meeting.send({ type: 'tell-waiting', guest: id, text: line })) return;
    setTyped('');
    setSent(true);
  };
  return (
    <form onSubmit={send}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the host has just asked for this field
        autoFocus
        aria-label={laterText('lobby.line', { name })}
        maxLength={longestLobbyLine}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setSent(false);
        }}
      />
      <button type="submit" className="quiet">
        {laterText('lobby.send')}
      </button>
      <p role="status">{sent && laterText('lobby.sent', { name })}</p>
    </form>
  );
}
