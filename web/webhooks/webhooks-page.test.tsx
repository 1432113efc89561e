// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { WebhooksPage } from '#web/webhooks/webhooks-page.tsx';

const admin: User = { ...ada, role: 'ORGADMIN' };
const webhook = {
  id: someId(60),
  url: 'https://crm.example.com/hooks',
  description: '',
  events: ['call.ended'],
  createdAt: '2026-03-04T09:00:00Z',
  disabled: null,
  previousSecretUntil: null,
  isOfAdmin: true,
  waitingCount: 0,
};
const delivery = {
  id: someId(61),
  eventId: someId(62),
  type: 'call.ended',
  createdAt: '2026-03-04T09:00:00Z',
  state: 'failed',
  attempts: 1,
  lastStatus: 500,
  nextTryAt: null,
};
const lists = {
  'GET /api/webhooks': [webhook],
  [`GET /api/webhooks/${webhook.id}/deliveries`]: [delivery],
  [`GET /api/webhook-deliveries/${delivery.id}`]: {
    ...delivery,
    request: { url: webhook.url, body: '{"type":"call.ended"}' },
    log: [
      {
        id: someId(63),
        at: '2026-03-04T09:00:00Z',
        durationMs: 12,
        status: 500,
        failure: null,
        response: 'Oh no',
      },
    ],
  },
};
const open = (user: User = admin) =>
  show(<WebhooksPage />, { path: '/app/settings/webhooks', user });

test.each(['AGENT', 'VIEWER'] as const)(
  '%s reads that this is for admins, and no request is sent',
  async (role) => {
    const all = fakeServer(lists);
    open({ ...ada, role });
    expect(await screen.findByText('Only admins manage webhooks')).toBeTruthy();
    expect(all).toEqual([]);
  },
);

test('a webhook is added with the chosen events, and its secret is shown once', async () => {
  const secret = 'whsec_secret';
  const all = fakeServer({ ...lists, 'POST /api/webhooks': { ...webhook, secret } });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.type(dialog.getByLabelText('URL'), 'crm.example.com');
  await by.click(dialog.getByLabelText('Call scored'));
  const submit = dialog.getByRole('button', { name: 'Add webhook' });
  await by.click(submit);
  expect(await dialog.findByText('Please enter a URL that starts with https://')).toBeTruthy();
  await by.clear(dialog.getByLabelText('URL'));
  await by.type(dialog.getByLabelText('URL'), webhook.url);
  await by.click(submit);
  expect(await screen.findByDisplayValue(secret)).toBeTruthy();
  expect(all.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { url: webhook.url, description: '', events: ['call.ended', 'call.scored'] },
  ]);
  await by.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByDisplayValue(secret)).toBe(null);
});

test('R16-11: a webhook of a former admin says so', async () => {
  fakeServer({
    ...lists,
    'GET /api/webhooks': [webhook, { ...webhook, id: someId(64), isOfAdmin: false }],
  });
  open();
  expect(await screen.findAllByText(/Added by someone who is no longer an admin/)).toHaveLength(1);
});

test('a failed delivery shows its answer, and is replayed', async () => {
  const all = fakeServer({
    ...lists,
    [`POST /api/webhook-deliveries/${delivery.id}/replay`]: { ...delivery, state: 'waiting' },
  });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: 'Deliveries to crm.example.com' }));
  await by.click(await screen.findByRole('button', { name: 'Call ended' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Oh no')).toBeTruthy();
  await by.click(dialog.getByRole('button', { name: 'Replay' }));
  expect(await screen.findByText('The event is sent again')).toBeTruthy();
  expect(all.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
