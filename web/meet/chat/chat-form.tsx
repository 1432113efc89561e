import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { longestChatMessage } from '#domain/calls/live-limits.ts';
import { text } from '../texts.ts';
import type { Chat } from './chat.ts';

/** The unsent text at the time when the chat was closed. */
let draft = '';

/** Enter sends; Shift and Enter starts a new line. */
export function ChatForm({ chat }: { chat: Chat }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const said = field.current?.value.trim() ?? '';
    if (said === '' || field.current === null) return;
    chat.write(said);
    field.current.value = '';
    draft = '';
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
  };
  return (
    <form className="chat-form" onSubmit={send}>
      <textarea
        ref={field}
        rows={2}
        maxLength={longestChatMessage}
        defaultValue={draft}
        aria-label={text('chat.field')}
        placeholder={text('chat.placeholder')}
        onKeyDown={pressed}
        onInput={({ currentTarget }) => {
          draft = currentTarget.value;
        }}
      />
      <button type="submit" className="primary">
        {text('chat.send')}
      </button>
    </form>
  );
}
