import { useRef, useState } from 'react';
import type { Participant } from '#domain/calls/participant.ts';
import { Icon } from '../icons.tsx';
import { laterText } from '../later-texts.ts';
import { WaitingGuests } from '../lobby/waiting-guests.tsx';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { SidePanel } from './side-panel.tsx';

/** The participants, and a host's actions: mute, remove a guest, lock. Loaded separately. */
export default function PeoplePanel({
  meeting,
  onClose,
}: {
  meeting: Meeting;
  onClose: () => void;
}) {
  const { roster, call, guests, hiddenGuests } = useStore(meeting);
  const [leaving, setLeaving] = useState<Participant | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const locked = call?.locked === true;
  const people = roster.participants.filter(({ inMeeting }) => inMeeting);
  const ask = (guest: Participant) => {
    setLeaving(guest);
    dialog.current?.showModal();
  };
  return (
    <SidePanel
      title={laterText('people.title')}
      closeLabel={laterText('people.close')}
      onClose={onClose}
    >
      {guests.length > 0 && (
        <WaitingGuests meeting={meeting} guests={guests} hidden={hiddenGuests} />
      )}
      <ul className="people">
        {people.map((one) => (
          <li key={one.id}>
            <p className="who">
              {one.id === roster.self ? text('meeting.you', { name: one.name }) : one.name}
              <span>{laterText(one.kind === 'guest' ? 'people.guest' : 'people.staff')}</span>
            </p>
            {one.id !== roster.self && <Orders meeting={meeting} person={one} onRemove={ask} />}
          </li>
        ))}
      </ul>
      {call && (
        <div className="lock-line">
          <p role="status">{laterText(locked ? 'people.locked' : 'people.open')}</p>
          <button
            type="button"
            className="pill"
            onClick={() => meeting.send({ type: 'lock', locked: !locked })}
          >
            <Icon name="lock" />
            {laterText(locked ? 'people.unlock' : 'people.lock')}
          </button>
        </div>
      )}
      <RemoveDialog dialog={dialog} meeting={meeting} guest={leaving} />
    </SidePanel>
  );
}

type OrdersProps = {
  meeting: Meeting;
  person: Participant;
  onRemove: (guest: Participant) => void;
};

function Orders({ meeting, person, onRemove }: OrdersProps) {
  const { id, kind, name, media } = person;
  return (
    <div className="orders">
      {media.audio ? (
        <button
          type="button"
          className="quiet"
          aria-label={laterText('people.mute', { name })}
          onClick={() => meeting.send({ type: 'mute', to: id })}
        >
          {laterText('people.muteShort')}
        </button>
      ) : (
        <span role="img" aria-label={text('meeting.micOff')}>
          <Icon name="microphoneOff" />
        </span>
      )}
      {kind === 'guest' && (
        <button
          type="button"
          className="quiet"
          aria-label={laterText('people.remove', { name })}
          onClick={() => onRemove(person)}
        >
          {laterText('people.removeShort')}
        </button>
      )}
    </div>
  );
}
