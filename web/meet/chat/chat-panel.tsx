import { useLayoutEffect, useRef } from 'react';
import type { Roster } from '#web/live/roster.ts';
import { LinkedText } from '#web/ui/linked-text.tsx';
import { locale } from '../../texts/language.ts';
import { SidePanel } from '../controls/side-panel.tsx';
import { nameOfGuest, staffNames } from '../namesakes.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import type { Chat, Outgoing } from './chat.ts';
import { ChatForm } from './chat-form.tsx';

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });

/**
 * The messages of the call's chat, and the field to write one. Loaded separately: most calls do not
 * need it.
 */
export default function ChatPanel({ chat, roster }: { chat: Chat; roster: Roster }) {
  const { self } = roster;
  const { messages, outgoing, isLoaded } = useStore(chat);
  const list = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.id ?? '';
  useLayoutEffect(() => {
    if (newest !== '' || outgoing.length > 0) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [newest, outgoing.length]);
  // Includes participants who have left.
  const staff = staffNames([...roster.participants, ...messages]);
  const isEmpty = messages.length + outgoing.length === 0;
  return (
    <SidePanel
      title={text('chat.title')}
      closeLabel={text('chat.close')}
      onClose={() => chat.close()}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard */}
      <div ref={list} className="chat-list" role="log" aria-label={text('chat.title')} tabIndex={0}>
        {isEmpty && (
          <p className="chat-empty">
            <strong>{text(isLoaded ? 'chat.empty' : 'chat.loading')}</strong>
            {isLoaded && <span>{text('chat.emptyHint')}</span>}
          </p>
        )}
        {messages.map(({ id, from, kind, name, text: said, sentAt }) => (
          <article key={id} data-own={from === self || undefined}>
            <h3>
              {from === self
                ? text('chat.you')
                : kind === 'guest'
                  ? nameOfGuest(name, staff)
                  : name}{' '}
              <time dateTime={sentAt}>{clock.format(new Date(sentAt))}</time>
            </h3>
            <p>
              <LinkedText text={said} />
            </p>
          </article>
        ))}
        {outgoing.map((message) => (
          <Unsent key={message.id} chat={chat} message={message} />
        ))}
      </div>
      <ChatForm chat={chat} />
    </SidePanel>
  );
}

function Unsent({ chat, message }: { chat: Chat; message: Outgoing }) {
  const { id, refused, text: said } = message;
  return (
    <article data-own data-unsent>
      <h3>{refused === null ? text('chat.sending') : text('chat.you')}</h3>
      <p>{said}</p>
      {refused !== null && (
        <p className="field-error" role="alert">
          {refused}{' '}
          <button type="button" className="quiet" onClick={() => chat.takeBack(id)}>
            {text('chat.takeBack')}
          </button>
        </p>
      )}
    </article>
  );
}
