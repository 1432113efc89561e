// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { callId } from '#domain/ids.ts';
import { ActionItems } from '#web/action-items/action-items.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const id = someId(50);
const item = {
  id: someId(70),
  callId: id,
  priority: 'high',
  confidence: 0.8,
  title: 'Send the contract',
  description: 'I will send the contract by Friday.',
  owner: 'Rosa',
  due: 'by Friday',
  dueOn: '2026-03-06',
  assigneeId: null,
  completedAt: null,
  completedBy: null,
  isGenerated: true,
  isEdited: false,
};
const analyzer = { name: 'offline', offline: true };
const list = (...actionItems: object[]) => ({
  actionItems,
  generatedAt: '2026-03-04T10:00:00Z',
  analyzer,
});
const path = `/api/calls/${id}/action-items`;
const open = () => show(<ActionItems callId={callId.parse(id)} />);

test('an item shows its owner, its due date, and the line it comes from', async () => {
  fakeServer({ [`GET ${path}`]: list(item) });
  open();
  expect(await screen.findByText('Send the contract')).toBeTruthy();
  for (const text of ['Rosa', 'Fri, Mar 6', item.description])
    expect(screen.getByText(text)).toBeTruthy();
});

test('ticking an item completes it', async () => {
  let current: object = item;
  const asked = fakeServer({
    [`GET ${path}`]: () => list(current),
    [`PATCH /api/action-items/${item.id}`]: () => {
      current = { ...item, completedAt: '2026-03-05T10:00:00Z', completedBy: 'Ada Lovelace' };
      return current;
    },
  });
  const { by } = open();
  await by.click(await screen.findByRole('checkbox'));
  expect(await screen.findByText('Done by Ada Lovelace')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ isCompleted: true });
});

test('a tick that the server refuses is taken back, and the reason is shown', async () => {
  fakeServer({
    [`GET ${path}`]: list(item),
    [`PATCH /api/action-items/${item.id}`]: () => refusal(404, { message: 'It was deleted.' }),
  });
  const { by } = open();
  await by.click(await screen.findByRole('checkbox'));
  expect((await screen.findAllByText('It was deleted.')).length).toBeGreaterThan(0);
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
});

test('an item is assigned to a member in its dialog', async () => {
  const asked = fakeServer({
    [`GET ${path}`]: list(item),
    'GET /api/users': [ada],
    [`PATCH /api/action-items/${item.id}`]: item,
  });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: 'Actions for Send the contract' }));
  await by.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const owner = await dialog.findByRole('combobox', { name: 'Owner' });
  await dialog.findByRole('option', { name: `${ada.firstName} ${ada.lastName}` });
  await by.selectOptions(owner, ada.id);
  await by.click(dialog.getByRole('button', { name: 'Save' }));
  expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({
    title: item.title,
    description: item.description,
    priority: 'high',
    dueOn: '2026-03-06',
    assigneeId: ada.id,
  });
});

test('adding needs a title', async () => {
  const asked = fakeServer({ [`GET ${path}`]: list(), 'GET /api/users': [ada] });
  const { by } = open();
  expect(await screen.findByText('No action items yet.')).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Add action item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.click(await dialog.findByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Title is required')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
});

test('a failed list can be loaded again', async () => {
  fakeServer({ [`GET ${path}`]: () => refusal(500) });
  open();
  expect(await screen.findByText('Failed to load the action items')).toBeTruthy();
  expect(screen.getByRole('button', { name: /again|retry/i })).toBeTruthy();
});
