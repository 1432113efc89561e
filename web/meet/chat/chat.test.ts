import { expect, test } from 'vitest';
import type { ChatMessage, ToBrowser, ToServer } from '#domain/calls/live.ts';
import { greet } from '../../live/fake-web-socket.ts';
import { Chat } from './chat.ts';

function open({ online = true } = {}) {
  const said: ToServer[] = [];
  const channel = { online };
  let listener: (message: ToBrowser) => void = () => {};
  let ids = 0;
  const chat = new Chat({
    send: (message) => {
      if (channel.online) said.push(message);
      return channel.online;
    },
    onMessage: (to) => {
      listener = to;
    },
    self: () => 'ada',
    newId: () => `${++ids}`,
  });
  const hears = (message: ToBrowser) => listener(message);
  return { chat, said, channel, hears };
}

const message = (id: string, from = 'bo', text = id): ChatMessage => ({
  id,
  from,
  kind: 'guest',
  name: 'Bo',
  text,
  sentAt: '2026-03-04T10:00:00Z',
});
const welcome = (resumed: boolean, callId = 'call') =>
  greet({ resumed, call: { id: callId, startedAt: '2026-03-04T10:00:00Z', joined: true } });
const told = (message: ChatMessage) => ({ type: 'chat' as const, sequence: 1, message });
const history = (messages: ChatMessage[]) => ({
  type: 'chat-history' as const,
  sequence: 1,
  messages,
});

test('messages of others count as unread until the chat is opened, which requests the history', () => {
  const { chat, said, hears } = open();
  hears(told(message('b')));
  hears(told(message('c', 'ada')));
  expect(chat.getSnapshot().unread).toBe(1);
  chat.open();
  expect(chat.getSnapshot().unread).toBe(0);
  expect(said).toEqual([{ type: 'chat-since', after: null }]);
  hears(history([message('a'), message('b'), message('c', 'ada')]));
  expect(chat.getSnapshot().messages.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  hears(told(message('d')));
  expect(chat.getSnapshot().unread).toBe(0);
});

test('a message written while offline is sent on reconnecting, and again until it is acknowledged', () => {
  const { chat, said, channel, hears } = open({ online: false });
  chat.write('Hello');
  expect(said).toEqual([]);
  channel.online = true;
  hears(welcome(true));
  hears(welcome(true));
  expect(said).toEqual([
    { type: 'chat', id: '1', text: 'Hello' },
    { type: 'chat', id: '1', text: 'Hello' },
  ]);
  hears({ type: 'saved', sequence: 1, id: '1', savedAt: 'now' });
  hears(welcome(true));
  expect(said.length).toBe(2);
  expect(chat.getSnapshot().outgoing).toEqual([]);
});

test('a new session requests the messages since the last one', () => {
  const { chat, said, hears } = open();
  chat.open();
  hears(history([message('a')]));
  hears(welcome(false));
  expect(said.at(-1)).toEqual({ type: 'chat-since', after: 'a' });
});

test('a refused message has the reason, is not sent again, and can be taken back', () => {
  const { chat, said, hears } = open();
  chat.write('Hello');
  hears({ type: 'refused', sequence: 1, id: '1', code: 'no_call', message: 'Not yet.' });
  expect(chat.getSnapshot().outgoing).toEqual([{ id: '1', text: 'Hello', refused: 'Not yet.' }]);
  hears(welcome(true));
  expect(said.length).toBe(1);
  chat.takeBack('1');
  expect(chat.getSnapshot().outgoing).toEqual([]);
});

test('another call in the same room starts with an empty chat', () => {
  const { chat, said, hears } = open();
  hears(welcome(false));
  chat.open();
  hears(history([message('a')]));
  hears(welcome(false, 'next'));
  expect(chat.getSnapshot().messages).toEqual([]);
  expect(said.at(-1)).toEqual({ type: 'chat-since', after: null });
});

test('a question that a lost connection left without an answer is asked again', () => {
  const { chat, said, hears } = open();
  hears(greet());
  chat.open();
  const asked = () => said.filter(({ type }) => type === 'chat-since').length;
  expect(asked()).toBe(1);
  hears(greet({ resumed: true }));
  expect(asked()).toBe(2);
  hears({ type: 'chat-history', sequence: 1, messages: [] });
  hears(greet({ resumed: true }));
  expect(asked()).toBe(2);
});
