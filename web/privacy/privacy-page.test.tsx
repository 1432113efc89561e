// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { retentionKinds } from '#domain/privacy/retention.ts';
import { PrivacyPage } from '#web/privacy/privacy-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const privacy = {
  retention: { ...Object.fromEntries(retentionKinds.map((kind) => [kind, null])), chats: 90 },
  processors: [
    { id: 'mail', host: 'mail.example.com' },
    { id: 'stripe', host: null },
  ],
  deletion: null,
};
const storage = {
  usedBytes: 3_221_225_472,
  mostBytes: null,
  recordedCalls: 12,
  retentionDays: 90,
  holds: [
    {
      callId: someId(9),
      room: 'Renewal',
      startedAt: '2026-11-01T10:00:00Z',
      reason: 'Case 12',
      placedAt: '2026-11-02T10:00:00Z',
    },
  ],
};
const bob = { ...ada, id: someId(7), firstName: 'Bob', lastName: 'Byte', role: 'AGENT' };
const reads = {
  'GET /api/privacy': privacy,
  'GET /api/recordings/storage': storage,
  'GET /api/users': [{ ...ada, role: 'ORGADMIN' }, bob],
  [`GET /api/organizations/${someId(2)}`]: {
    id: someId(2),
    name: 'Acme',
    brandColor: '#123456',
    plan: 'starter',
    logoUrl: null,
  },
};
const open = (role: 'ORGADMIN' | 'AGENT' | 'VIEWER' = 'ORGADMIN') =>
  show(<PrivacyPage />, { user: { ...ada, role } });

test.each(['AGENT', 'VIEWER'] as const)('%s is denied, and no request is sent', (role) => {
  const asked = fakeServer(reads);
  open(role);
  expect(screen.getByText('Only admins can manage privacy')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('days are saved for each kind, an empty field keeps data forever, and an invalid number stays in its field', async () => {
  const asked = fakeServer({
    ...reads,
    'PUT /api/privacy/retention': { ...privacy.retention, notes: 30, chats: null },
  });
  const { by } = open();
  const notes = await screen.findByLabelText(/^Call notes/);
  await by.type(notes, '0');
  await by.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please enter 1 to 3650 days, or leave blank')).toBeTruthy();
  await by.clear(notes);
  await by.type(notes, '30');
  await by.clear(screen.getByLabelText(/^Call chats/));
  await by.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Retention saved')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    notes: 30,
    chats: null,
    aiResults: null,
  });
});

test('configured sub-processors come first, and each other one is marked as not set up', async () => {
  fakeServer(reads);
  open();
  const mail = await screen.findByText('mail.example.com');
  expect(mail.closest('div')?.textContent).toContain('Mail server');
  expect(screen.getByText('Payments (Stripe)').closest('div')?.textContent).toContain('Not set up');
  expect(screen.getByText('rapport_session')).toBeTruthy();
});

test('a member is deleted after a confirmation; one’s own account is not deleted here', async () => {
  const asked = fakeServer({ ...reads, 'POST /api/privacy/erase': { erased: 1 } });
  const { by } = open();
  await screen.findByRole('option', { name: 'Bob Byte' });
  const remove = screen.getByRole('button', { name: 'Delete this person' });
  await by.selectOptions(screen.getByLabelText('A member'), 'Ada Lovelace');
  expect(remove).toHaveProperty('disabled', true);
  await by.selectOptions(screen.getByLabelText('A member'), 'Bob Byte');
  await by.click(remove);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Bob Byte?' }));
  await by.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Person deleted')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ userId: bob.id });
});

test('the organization is deleted only after typing its name, and a refusal keeps the dialog open with what was typed', async () => {
  const path = `POST /api/organizations/${someId(2)}/deletion`;
  const asked = fakeServer({ ...reads, [path]: () => refusal(400, { message: 'No' }) });
  const { by } = open();
  const button = await screen.findByRole('button', { name: 'Delete organization...' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await by.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Acme?' }));
  const confirm = dialog.getByRole('button', { name: 'Delete in seven days' });
  await by.type(dialog.getByLabelText('Organization name'), 'Acm');
  expect(confirm).toHaveProperty('disabled', true);
  await by.type(dialog.getByLabelText('Organization name'), 'e');
  await by.click(confirm);
  expect(await screen.findByText('No')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Acme' });
  expect(dialog.getByLabelText('Organization name')).toHaveProperty('value', 'Acme');
});

test('a requested deletion shows its date, and a button cancels it', async () => {
  const dueAt = '2026-12-01T10:00:00Z';
  const asked = fakeServer({
    ...reads,
    'GET /api/privacy': { ...privacy, deletion: { requestedAt: dueAt, dueAt } },
    [`DELETE /api/organizations/${someId(2)}/deletion`]: null,
  });
  const { by } = open();
  expect((await screen.findByRole('status')).textContent).toContain('will be deleted on');
  await by.click(screen.getByRole('button', { name: 'Cancel deletion' }));
  expect(await screen.findByText('Deletion canceled')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('a page that cannot be loaded shows the error', async () => {
  fakeServer({ ...reads, 'GET /api/privacy': () => refusal(500, { message: 'Back soon' }) });
  open();
  expect(await screen.findByText('Back soon')).toBeTruthy();
});

test('what recordings use is shown, with the calls under legal hold', async () => {
  fakeServer(reads);
  open();
  expect(await screen.findByText('3 GB')).toBeTruthy();
  expect(screen.getByText('90 days')).toBeTruthy();
  const call = screen.getByRole('link', { name: /Renewal/ });
  expect(call.getAttribute('href')).toBe(`/app/calls/${someId(9)}`);
  expect(screen.getByText(/Case 12/)).toBeTruthy();
});
