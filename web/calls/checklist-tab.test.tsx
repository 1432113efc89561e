// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playbookId } from '#domain/ids.ts';
import { openedRoom } from '#domain/rooms/contract.ts';
import { CallSession } from '#web/calls/call-session.ts';
import { ChecklistTab } from '#web/calls/checklist-tab.tsx';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { FakeWebSocket, greet } from '#web/live/fake-web-socket.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCall, somePlaybook, someRoom } from '#web/testing/some.ts';

const call = someCall({ endedAt: null, durationSec: null });
const playbook = somePlaybook(['Greet', 'Agree on goals']);
const step = { id: someId(90), text: 'Ask for a reference', order: 0 };
const paths = {
  steps: `POST /api/calls/${call.id}/checklist-items`,
  playbook: `PUT /api/calls/${call.id}/playbook`,
};
const room = openedRoom.parse({ ...someRoom(), dailyUrl: 'https://x/meet/r', meetingToken: 'one' });

let webSocket: FakeWebSocket;
let session: CallSession;
beforeEach(() => {
  localStorage.clear();
  webSocket = new FakeWebSocket();
});
afterEach(() => session.close());

async function open(answers: Record<string, unknown>, mayEdit = true) {
  const asked = fakeServer({
    'POST /api/calls': call,
    'GET /api/playbooks': [playbook],
    ...answers,
  });
  session = new CallSession({
    room,
    mayEdit,
    unsaved: new UnsavedEditsStore(localStorage, 'ada'),
    openWebSocket: () => webSocket,
    newId: () => 'id',
    onFailure: () => {},
  });
  session.open();
  const shown = show(<ChecklistTab session={session} mayEdit={mayEdit} />);
  if (mayEdit) await waitFor(() => expect(session.getSnapshot().call).not.toBeNull());
  return { ...shown, asked };
}
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Add a step' });
const steps = () => screen.queryAllByRole('checkbox').map((box) => box.closest('li')?.textContent);

test('a step is added with Enter, and the field is ready for the next', async () => {
  const { by, asked } = await open({ [paths.steps]: Response.json(step, { status: 201 }) });
  await by.type(await field(), '  Ask for a reference {Enter}');
  await waitFor(() => expect(steps()).toEqual(['Ask for a reference']));
  expect(asked.at(-1)?.body).toEqual({ text: 'Ask for a reference' });
  expect((await field()).value).toBe('');
  await by.type(await field(), '   {Enter}');
  expect(asked.filter(({ path }) => path.endsWith('checklist-items'))).toHaveLength(1);
});

test('a step that could not be added stays in the field, and the reason is said', async () => {
  const problem = { code: 'checklist_full', message: 'A checklist can have at most 200 steps.' };
  const { by } = await open({ [paths.steps]: refusal(409, problem) });
  await by.type(await field(), 'One too many{Enter}');
  expect(await screen.findByText(problem.message)).toBeTruthy();
  expect((await field()).value).toBe('One too many');
  expect(steps()).toEqual([]);
});

test('a playbook chosen during the call becomes its checklist', async () => {
  const { by, asked } = await open({
    [paths.playbook]: { ...call, checklistItems: playbook.checklistItems },
  });
  const choice = await screen.findByRole('combobox', { name: 'Playbook' });
  await by.selectOptions(choice, playbook.title);
  await waitFor(() => expect(steps()).toEqual(['Greet', 'Agree on goals']));
  expect(asked.at(-1)?.body).toEqual({ playbookId: playbookId.parse(playbook.id) });
  expect(screen.queryByRole('combobox')).toBe(null);
});

test('without any playbook, one can be created', async () => {
  await open({ 'GET /api/playbooks': [] });
  const link = await screen.findByRole('link', { name: 'Create Playbook' });
  expect(link.getAttribute('href')).toBe('/app/playbooks?new');
});

test('a step that a colleague adds appears', async () => {
  await open({ [`GET /api/calls/${call.id}`]: { ...call, checklistItems: [step] } });
  webSocket.opens();
  webSocket.says(greet({ call: { id: call.id, startedAt: call.startedAt, joined: true } }));
  const items = [{ itemId: step.id, checked: true }];
  webSocket.says({ type: 'checklist', sequence: 1, callId: call.id, items });
  await waitFor(() => expect(steps()).toEqual(['Ask for a reference']));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

test('a viewer reads along, and is offered nothing to add', async () => {
  await open({}, false);
  const empty = within(screen.getByText('No playbook in this room').parentElement ?? document.body);
  expect(empty.getByText('Steps will appear here when your team adds them.')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBe(null);
});
