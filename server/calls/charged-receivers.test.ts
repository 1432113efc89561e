import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { updateCall } from '#domain/calls/contract.ts';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import { changeRoomCapture } from '#domain/consent/contract.ts';
import { questionVersion } from '#domain/consent/question.ts';
import { AnswerReader } from '#server/platform/answer-reader.ts';
import { enter, enterPanel, type LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf, staffTokenOf } from '#server/testing/waiting-guest.ts';
import type { MessageType } from './message-handler.ts';
import { type Outgoing, tellRoom } from './room-events.ts';
import { WorkBudget } from './work-budget.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

/** Opens pages of every kind: two people in the meeting with panels, a third's panel, and a preview. */
async function fullRoom() {
  const { id } = started.room;
  await ada.call(changeRoomCapture, { params: { id }, body: { recording: 'ask' } });
  const bea = await newMember(app, ada, 'AGENT');
  const tokens = [await staffTokenOf(ada, id), await staffTokenOf(bea, id)];
  const [first = '', second = ''] = tokens;
  const meeting = await enter(url, first);
  // The first person in the call starts it.
  if (!meeting.welcome.call?.joined) await meeting.until('call-changed');
  const panel = await enterPanel(url, first);
  const others = [
    await enter(url, second),
    await enterPanel(url, second),
    await enterPanel(url, await staffTokenOf(bea, id)),
    await enter(url, await guestTokenOf(app, ada, id), { name: 'Gus' }),
  ];
  const preview = await enter(url, await staffTokenOf(bea, id), { media: undefined });
  return { meeting, panel, preview, others, all: [meeting, panel, preview, ...others] };
}
type Room = Awaited<ReturnType<typeof fullRoom>>;

interface Sending {
  from: (room: Room) => LiveClient;
  message: (room: Room) => ToServer;
  /** The first message to the sender after the others were told. */
  answer?: ToBrowser['type'];
}

const stranger = crypto.randomUUID();
const another = ({ others }: Room) => others[0]?.welcome.self ?? '';
const inMeeting = (message: (room: Room) => ToServer, answer?: ToBrowser['type']) =>
  ({ from: ({ meeting }: Room) => meeting, message, answer }) as Sending;
const inPanel = (message: (room: Room) => ToServer) =>
  ({ from: ({ panel }: Room) => panel, message, answer: 'saved' }) satisfies Sending;

function someNote(): string {
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, 'A note');
  return Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
}

const sendings: Record<MessageType, Sending> = {
  signal: inMeeting((room) => ({ type: 'signal', to: another(room), signal: { candidate: null } })),
  watch: inMeeting((room) => ({ type: 'watch', to: another(room), camera: true, screen: false })),
  media: inMeeting(() => ({ type: 'media', media: { audio: false, video: true } })),
  join: {
    from: ({ preview }) => preview,
    message: () => ({ type: 'join', media: bothOn }),
    answer: 'changed',
  },
  'media-lost': inMeeting(() => ({ type: 'media-lost', room: 'none' })),
  chat: inMeeting(() => ({ type: 'chat', id: 'c', text: 'Hello' }), 'saved'),
  'chat-since': inMeeting(() => ({ type: 'chat-since', after: null }), 'chat-history'),
  mute: inMeeting((room) => ({ type: 'mute', to: another(room) })),
  remove: inMeeting(() => ({ type: 'remove', to: stranger }), 'refused'),
  lock: inMeeting(() => ({ type: 'lock', locked: true }), 'call-changed'),
  admit: inMeeting(() => ({ type: 'admit', guests: [stranger] }), 'refused'),
  refuse: inMeeting(() => ({ type: 'refuse', guest: stranger }), 'refused'),
  'tell-waiting': inMeeting(
    () => ({ type: 'tell-waiting', guest: stranger, text: 'Soon' }),
    'refused',
  ),
  capture: inMeeting(
    () => ({ type: 'capture', id: 'c', kind: 'recording', running: true }),
    'captures',
  ),
  consent: inMeeting(
    () => ({
      type: 'consent',
      id: 'c',
      asked: ['recording'],
      agreed: [],
      questionVersion,
      language: 'en',
    }),
    'saved',
  ),
  react: inMeeting(() => ({ type: 'react', reaction: '👍' }), 'reacted'),
  check: inPanel(() => {
    const itemId = started.call.checklistItems[0]?.id ?? '';
    return { type: 'check', id: 'c', itemId, checked: true };
  }),
  note: inPanel(() => ({ type: 'note', id: 'n', update: someNote() })),
  'notes-since': {
    ...inPanel(() => ({ type: 'notes-since', vector: 'AA==' })),
    answer: 'note',
  },
};
const types = Object.keys(sendings) as MessageType[];

/** Answers to the sender alone, and the list of the lobby, which has a rate of its own. */
/** Their senders get what the others get as an answer. */
const toldTwice = new Set<MessageType>(['join', 'consent']);
const answers = new Set<ToBrowser['type']>(['pong', 'saved', 'refused', 'chat-history', 'lobby']);

test.each(types)('R7-7: %s costs as many pages as receive what it leads to', async (type) => {
  const room = await fullRoom();
  for (const page of room.all) await page.settled();
  for (const page of room.all) page.heard.length = 0;
  const turn = vi.spyOn(WorkBudget.prototype, 'turn');
  const { from, message, answer } = sendings[type];
  const sender = from(room);
  sender.send(message(room));
  if (answer) await sender.until(answer);
  for (const page of room.all) await page.settled();
  const reached = room.all.filter(({ heard }) => heard.some((one) => !answers.has(one.type)));
  const charged = turn.mock.calls.find(([asking]) => asking.type === type)?.[0].receivers;
  // What one participant is told, or the sender alone, is not charged. Nor is a sender's own copy.
  if (charged === undefined) expect(reached.length).toBeLessThanOrEqual(1);
  else
    expect(reached.filter((page) => !toldTwice.has(type) || page !== sender)).toHaveLength(charged);
});

test('R21-53: people on other processes count as receivers', async () => {
  const { meeting, panel, all } = await fullRoom();
  for (const page of all) await page.settled();
  const turn = vi.spyOn(WorkBudget.prototype, 'turn');
  const chargedFor = async (type: 'react' | 'check' | 'media') => {
    const page = type === 'check' ? panel : meeting;
    const { message } = sendings[type];
    page.send(message({} as Room));
    await page.settled();
    return turn.mock.calls.findLast(([asking]) => asking.type === type)?.[0].receivers ?? 0;
  };
  const tell = (message: Outgoing) => tellRoom(app.services.bus, started.room.id, { message });
  const types = ['react', 'check', 'media'] as const;
  const charged = async () => {
    const counts: number[] = [];
    for (const type of types) counts.push(await chargedFor(type));
    return counts;
  };
  const before = await charged();
  const people = [
    { kind: 'staff', inMeeting: false },
    { kind: 'staff', inMeeting: true },
    { kind: 'guest', inMeeting: true },
  ] as const;
  const elsewhere = people.map((one) => ({
    ...{ id: crypto.randomUUID(), name: 'Elsewhere', avatar: null, media: bothOn, connected: true },
    ...one,
  }));
  for (const participant of elsewhere) tell({ type: 'joined', participant });
  const more = (counts: number[]) => counts.map((count, at) => count - (before[at] ?? 0));
  expect(more(await charged())).toEqual([2, 2, 3]);
  for (const { id } of elsewhere) tell({ type: 'left', participantId: id });
  expect(more(await charged())).toEqual([0, 0, 0]);
});

test('R21-55: what a request tells panels is charged like its answer', async () => {
  const { all } = await fullRoom();
  for (const page of all) await page.settled();
  const made = vi.spyOn(AnswerReader.prototype, 'made');
  const item = started.call.checklistItems[0]?.id ?? '';
  const params = { id: started.call.id };
  const notes = 'a'.repeat(5_000);
  await ada.call(updateCall, { params, body: { checklistChanges: { [item]: true } } });
  await ada.call(updateCall, { params, body: { checklistChanges: { [item]: true } } });
  await ada.call(updateCall, { params, body: { notesSnapshot: notes } });
  // A message to each of three panels; nothing has changed; the notes in base64 to each of them.
  const [tick, nothing, text] = made.mock.calls.map(([bytes]) => bytes);
  expect([tick, nothing]).toEqual([3 * 1024, 0]);
  expect(text).toBeGreaterThan(3 * 5_000);
});

test('R7-10: a call is locked for everyone once, and only its receivers are counted', async () => {
  const { meeting, all } = await fullRoom();
  for (const page of all) page.heard.length = 0;
  const published = vi.spyOn(app.services.bus, 'publish');
  for (const locked of [true, true, false, false, false]) {
    meeting.send({ type: 'lock', locked });
    const before = meeting.all('call-changed').length;
    await expect.poll(() => meeting.all('call-changed').length).toBeGreaterThan(before);
  }
  for (const page of all) await page.settled();
  const told = all.filter((page) => page !== meeting).map((page) => page.all('call-changed'));
  for (const one of told) expect(one.map(({ call }) => call.locked)).toEqual([true, false]);
  // The page that asked is answered each time.
  expect(meeting.all('call-changed')).toHaveLength(5);
  // Attendances that began meanwhile are published, too.
  const locks = published.mock.calls.filter(([, event]) =>
    JSON.stringify(event).includes('"call-changed"'),
  );
  expect(locks).toHaveLength(2);
});
