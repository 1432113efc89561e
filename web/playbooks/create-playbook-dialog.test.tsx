// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Playbook } from '#domain/playbooks/contract.ts';
import { CreatePlaybookDialog } from '#web/playbooks/create-playbook-dialog.tsx';
import { PlaybookList } from '#web/playbooks/playbook-list.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, toastLook } from '#web/testing/show.tsx';
import { somePlaybook } from '#web/testing/some.ts';

const open = () => show(<CreatePlaybookDialog />, { path: '/app/playbooks?new' });
const newItem = () => screen.getByLabelText('New item');
const submit = () => screen.getByRole('button', { name: 'Create Playbook' });
const posted = (asked: ReturnType<typeof fakeServer>) =>
  asked.find(({ method }) => method === 'POST')?.body;

test('a title and at least one item are required', async () => {
  const asked = fakeServer({});
  const { by } = open();
  await by.click(submit());
  expect(await screen.findByText('Title is required')).toBeTruthy();
  expect(screen.getByText('At least one checklist item is required')).toBeTruthy();
  expect(posted(asked)).toBe(undefined);
});

test('Enter adds an item, trimmed, and does nothing without text', async () => {
  const asked = fakeServer({ 'POST /api/playbooks': somePlaybook(['One']) });
  const { by } = open();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(newItem(), '  One  {Enter}   {Enter}');
  expect(screen.getByLabelText('Item 1')).toHaveProperty('value', 'One');
  expect(screen.queryByLabelText('Item 2')).toBe(null);
  expect(posted(asked), 'Enter in the list does not submit').toBe(undefined);
  await by.clear(newItem());
  await by.click(submit());
  await waitFor(() =>
    expect(posted(asked)).toEqual({ title: 'Renewal', checklistItems: [{ text: 'One' }] }),
  );
  expect(await screen.findByText('Playbook created successfully')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(screen.getByTestId('address').textContent).toBe('/app/playbooks');
});

test('a description is sent with the playbook', async () => {
  const asked = fakeServer({ 'POST /api/playbooks': somePlaybook(['One']) });
  const { by } = open();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(screen.getByLabelText(/^Description/), 'For the last quarter');
  await by.type(newItem(), 'One{Enter}');
  await by.click(submit());
  await waitFor(() =>
    expect(posted(asked)).toEqual({
      title: 'Renewal',
      description: 'For the last quarter',
      checklistItems: [{ text: 'One' }],
    }),
  );
});

test('items can be removed, and an item that was typed but not added counts', async () => {
  const asked = fakeServer({ 'POST /api/playbooks': somePlaybook(['Two']) });
  const { by } = open();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(newItem(), 'One{Enter}Two');
  await by.click(screen.getByRole('button', { name: 'Add' }));
  await by.click(screen.getByRole('button', { name: 'Remove item 1' }));
  await by.type(newItem(), 'Three');
  await by.click(submit());
  await waitFor(() =>
    expect(posted(asked)).toEqual({
      title: 'Renewal',
      checklistItems: [{ text: 'Two' }, { text: 'Three' }],
    }),
  );
});

test('an empty item is reported at that item', async () => {
  fakeServer({});
  const { by } = open();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(newItem(), 'One{Enter}');
  await by.clear(screen.getByLabelText('Item 1'));
  await by.click(submit());
  expect(await screen.findByText('Item text is required')).toBeTruthy();
});

test('the error about missing items disappears with the first item', async () => {
  fakeServer({});
  const { by } = open();
  await by.click(submit());
  await screen.findByText('At least one checklist item is required');
  await by.type(newItem(), 'One{Enter}');
  await waitFor(() =>
    expect(screen.queryByText('At least one checklist item is required')).toBe(null),
  );
});

test('a failure keeps the input', async () => {
  fakeServer({ 'POST /api/playbooks': () => refusal(500) });
  const { by } = open();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(newItem(), 'One{Enter}');
  await by.click(submit());
  expect(await screen.findByText('Failed to create playbook')).toBeTruthy();
  expect(toastLook('Failed to create playbook')).toBe('destructive');
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Renewal');
});

test('a created playbook appears in the list without a reload', async () => {
  const stored: Playbook[] = [];
  fakeServer({
    'GET /api/playbooks': () => stored,
    'POST /api/playbooks': () => {
      const created = somePlaybook(['One'], 'Renewal');
      stored.push(created);
      return created;
    },
  });
  const ui = (
    <>
      <PlaybookList />
      <CreatePlaybookDialog />
    </>
  );
  const { by } = show(ui, { path: '/app/playbooks?new' });
  expect(await screen.findByText('No playbooks yet')).toBeTruthy();
  await by.type(screen.getByLabelText('Title'), 'Renewal');
  await by.type(newItem(), 'One{Enter}');
  await by.click(submit());
  expect(await screen.findByText('Renewal')).toBeTruthy();
});

test('a card shows the title, the first three items, and the number of the others', async () => {
  fakeServer({ 'GET /api/playbooks': [somePlaybook(['A', 'B', 'C', 'D', 'E'])] });
  show(<PlaybookList />);
  expect(await screen.findByText('First call')).toBeTruthy();
  expect(screen.getByText('+ 2 more items')).toBeTruthy();
  expect(screen.getByText('5 items')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['A', 'B', 'C']);
});
