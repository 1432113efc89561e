// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { listRooms } from '#domain/rooms/contract.ts';
import { CallPage } from '#web/calls/call-page.tsx';
import { FakeWebSocket, greet } from '#web/live/fake-web-socket.ts';
import { boot } from '#web/platform/boot.ts';
import { reading } from '#web/platform/query-client.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, toastLook } from '#web/testing/show.tsx';
import { someCall, somePlaybook, someRoom } from '#web/testing/some.ts';

const { id: playbookId, title, checklistItems } = somePlaybook(['Greet', 'Agree']);
const room = {
  ...someRoom({ topic: 'Quarterly review' }),
  playbook: { id: playbookId, title, checklistItems },
  dailyUrl: 'https://x/mock-video/r',
  meetingToken: 'token',
};
const running = () =>
  someCall({
    checklistItems,
    startedAt: new Date(Date.now() - 65_000).toISOString(),
    endedAt: null,
    durationSec: null,
  });
let webSockets: FakeWebSocket[];

beforeEach(() => {
  webSockets = [];
  localStorage.clear();
  class TestSocket extends FakeWebSocket {
    constructor() {
      super();
      webSockets.push(this);
    }
  }
  vi.stubGlobal('WebSocket', TestSocket);
});
afterEach(() => {
  delete boot.room;
});

const open = (user: User = ada) =>
  show(
    <Routes>
      <Route path="app/rooms/:id/call" element={<CallPage />} />
      <Route path="*" element={null} />
    </Routes>,
    { path: `/app/rooms/${room.id}/call`, user },
  );
const address = () => screen.getByTestId('address').textContent;
const server = (more = {}) => {
  const call = running();
  return fakeServer({
    [`GET /api/rooms/${room.id}`]: room,
    'POST /api/calls': call,
    [`GET /api/calls/${call.id}`]: call,
    [`PUT /api/calls/${call.id}`]: call,
    ...more,
  });
};

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

test('the header has topic, Live marker and timer; the panel the checklist', async () => {
  server();
  open();
  expect(await screen.findByRole('heading', { name: 'Quarterly review' })).toBeTruthy();
  expect(await screen.findByText('Live')).toBeTruthy();
  expect(screen.getByRole('timer').textContent).toMatch(/^1:0[5-7]$/);
  expect(screen.getAllByRole('checkbox').length).toBe(2);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Checklist',
    'Notes',
    'AI',
  ]);
});

test('the panel has three tabs, and AI reads the notes of the running call', async () => {
  const analyzer = { name: 'offline', offline: true };
  const asked = server({
    'POST /api/ai/analyze-sentiment': {
      overallSentiment: 0.5,
      confidence: 0.7,
      keyEmotions: [],
      concernsDetected: false,
      supported: true,
      evidence: [],
      analyzer,
    },
    'POST /api/ai/generate-coaching': { suggestions: [], analyzer },
    'POST /api/ai/generate-action-items': { actionItems: [], analyzer },
  });
  const { by } = open();
  await screen.findByText('Live');
  await by.click(screen.getByRole('tab', { name: 'Notes' }));
  await by.type(screen.getByRole('textbox'), 'They love it.');
  await by.click(screen.getByRole('tab', { name: 'AI' }));
  await by.click(await screen.findByRole('button', { name: 'Analyze' }));
  expect(await screen.findByText('Positive')).toBeTruthy();
  const sent = (path: string) => asked.find((each) => each.path === path)?.body;
  const about = {
    callId: running().id,
    roomTopic: 'Quarterly review',
    playbookTitle: title,
    timeZone,
  };
  const text = 'They love it.';
  expect(sent('/api/ai/analyze-sentiment')).toEqual({ ...about, conversationText: text });
  expect(sent('/api/ai/generate-coaching')).toEqual({ ...about, conversationText: text });
  expect(sent('/api/ai/generate-action-items')).toEqual({
    ...about,
    fullConversation: text,
    currentNotes: text,
  });
});

test('a loading text shows while the room is requested, and a mock room is simulated', async () => {
  server();
  open();
  expect(screen.getByText('Loading video call...')).toBeTruthy();
  expect(await screen.findByText('Simulated demo call')).toBeTruthy();
  expect(screen.getAllByRole('figure').length).toBe(2);
  expect(document.querySelector('iframe')).toBe(null);
});

test('a room that came with the page is not requested again', async () => {
  boot.room = room;
  const asked = server();
  open();
  expect(await screen.findByText('Live')).toBeTruthy();
  expect(asked.map(({ path }) => path).filter((path) => !/organizations/.test(path))).toEqual([
    '/api/calls',
  ]);
});

test('leaving ends the call, asks for a score, and Skip goes to the dashboard', async () => {
  const asked = server({ 'GET /api/rooms': [] });
  const { by, queryClient } = open();
  const rooms = reading(listRooms, {});
  queryClient.setQueryData(rooms.queryKey, []);
  await screen.findByText('Live');
  await by.click(screen.getByRole('button', { name: 'Leave Call' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() =>
    expect(asked.at(-1)?.body).toEqual({
      endedAt: expect.any(String),
      durationSec: expect.toSatisfy((seconds) => seconds >= 65 && seconds < 120),
    }),
  );
  const opened = asked.filter(({ path }) => path === `/api/rooms/${room.id}`);
  expect(opened.length, 'the room is opened once').toBe(1);
  await by.click(dialog.getAllByRole('button', { name: 'Skip' })[0] ?? document.body);
  await waitFor(() => expect(address()).toBe('/app'));
  await waitFor(() =>
    expect(queryClient.getQueryState(rooms.queryKey)?.isInvalidated, 'read anew').toBe(true),
  );
});

const generated = (asked: ReturnType<typeof server>) =>
  asked.filter(({ path }) => path === '/api/ai/generate-action-items');
const withNotes = (length: number, endedAt: string | null) => ({
  [`PUT /api/calls/${running().id}`]: { ...running(), endedAt, notesSnapshot: 'n'.repeat(length) },
  'POST /api/ai/generate-action-items': { actionItems: [], analyzer: {} },
  [`POST /api/calls/${running().id}/action-items/generate`]: {},
  'GET /api/rooms': [],
});

test('ending a call with over 500 characters of notes has its action items generated once', async () => {
  const asked = server(withNotes(501, '2026-03-04T10:30:00Z'));
  const { by } = open();
  await screen.findByText('Live');
  await by.click(screen.getByRole('button', { name: 'Leave Call' }));
  await waitFor(() => expect(generated(asked).length).toBe(1));
  const text = 'n'.repeat(501);
  expect(generated(asked)[0]?.body).toEqual({
    callId: running().id,
    fullConversation: text,
    currentNotes: text,
    roomTopic: 'Onboarding with Acme',
    timeZone,
    playbookTitle: title,
  });
});

test.each([
  ['with 500 characters', 500, '2026-03-04T10:30:00Z'],
  ['that goes on for others', 900, null],
])('leaving a call %s sends no conversation', async (_, length, endedAt) => {
  const asked = server(withNotes(length, endedAt));
  const { by } = open();
  await screen.findByText('Live');
  await by.click(screen.getByRole('button', { name: 'Leave Call' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.click(dialog.getAllByRole('button', { name: 'Skip' })[0] ?? document.body);
  await waitFor(() => expect(address()).toBe('/app'));
  expect(asked.some(({ method }) => method === 'PUT')).toBe(true);
  expect(generated(asked)).toEqual([]);
});

const someone = { id: 'bo', name: 'Bo', avatar: null, inMeeting: true, connected: true };
const media = { audio: true, video: true };

test('as the last of the staff with guests, leaving asks whether the call ends for them', async () => {
  const asked = server();
  const { by } = open();
  await screen.findByText('Live');
  webSockets[0]?.opens();
  const self = { ...someone, id: 'self', kind: 'staff' as const, media };
  webSockets[0]?.says(
    greet({ self: self.id, participants: [self, { ...someone, kind: 'guest', media }] }),
  );
  await by.click(await screen.findByRole('button', { name: 'Leave Call', expanded: false }));
  const leave = screen.getByRole('menuitem', { name: /^Leave/ });
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  // The menu stays open while a guest's network falters.
  const participant = { ...someone, connected: false, kind: 'guest' as const, media };
  webSockets[0]?.says({ type: 'changed', sequence: 1, participant });
  await by.hover(leave);
  expect(leave.isConnected).toBe(true);
  await by.click(screen.getByRole('menuitem', { name: /^End for everyone/ }));
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ endForEveryone: true }));
});

test('beside other staff, leaving does not ask, and the call can end for everyone', async () => {
  const asked = server();
  const { by } = open();
  await screen.findByText('Live');
  expect(screen.queryByRole('button', { name: 'More ways to leave' })).toBe(null);
  webSockets[0]?.opens();
  webSockets[0]?.says(greet({ participants: [{ ...someone, kind: 'staff', media }] }));
  await by.click(await screen.findByRole('button', { name: 'More ways to leave' }));
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  await by.click(screen.getByRole('menuitem', { name: /^End for everyone/ }));
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ endForEveryone: true }));
});

test('a viewer waits for a call, reads along, and cannot score it', async () => {
  const asked = server();
  const { by } = open({ ...ada, role: 'VIEWER' });
  expect(await screen.findByText('Waiting for the call to start')).toBeTruthy();
  webSockets[0]?.opens();
  const { id, startedAt } = running();
  webSockets[0]?.says(greet({ call: { id, startedAt, joined: true } }));
  expect(await screen.findByText('Live')).toBeTruthy();
  for (const box of screen.getAllByRole<HTMLInputElement>('checkbox'))
    expect(box.disabled).toBe(true);
  await by.click(screen.getByRole('tab', { name: 'Notes' }));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').readOnly).toBe(true);
  await by.click(screen.getByRole('button', { name: 'Leave Call' }));
  await waitFor(() => expect(address()).toBe('/app'));
  expect(asked.every(({ method }) => method === 'GET')).toBe(true);
});

test('a missing room is reported, and one that could not be loaded can be loaded again', async () => {
  fakeServer({});
  const { unmount } = open();
  expect(await screen.findByText('This room doesn’t exist')).toBeTruthy();
  unmount();
  fakeServer({ [`GET /api/rooms/${room.id}`]: () => refusal(500, { message: 'Down' }) });
  const { by } = open();
  expect(await screen.findByText('Down')).toBeTruthy();
  server();
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Live')).toBeTruthy();
});

test('a call that the plan does not allow shows what to do, and the rest of the page stays usable', async () => {
  server({ 'POST /api/calls': () => refusal(402, { message: 'Upgrade to go on.' }) });
  open();
  expect((await screen.findAllByText('Upgrade to go on.')).length).toBeGreaterThan(0);
  expect(screen.getByRole('heading', { name: 'Quarterly review' })).toBeTruthy();
});

test('a call that could not be made or changed shows a default message if the server sent no reason', async () => {
  server({ 'POST /api/calls': () => refusal(400) });
  const { unmount } = open();
  expect((await screen.findAllByText('Failed to create call')).length).toBeGreaterThan(0);
  expect(toastLook('Failed to create call')).toBe('destructive');
  unmount();
  server({ [`PUT /api/calls/${running().id}`]: () => refusal(409) });
  const { by } = open();
  await screen.findByText('Live');
  await by.click(screen.getByRole('button', { name: 'Leave Call' }));
  expect(await screen.findByText('Failed to update call')).toBeTruthy();
  expect(toastLook('Failed to update call')).toBe('destructive');
});
