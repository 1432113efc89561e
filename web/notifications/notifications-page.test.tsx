// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { CalendarCard } from '#web/notifications/calendar-card.tsx';
import { NotificationsPage } from '#web/notifications/notifications-page.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const admin: User = { ...ada, role: 'ORGADMIN' };
const channel = {
  id: someId(70),
  name: '#success',
  addressEnd: 'abcd',
  callEnded: true,
  lowScore: 6,
  language: 'en',
  createdAt: '2026-03-04T09:00:00Z',
  disabled: { at: '2026-03-04T09:00:00Z', reason: 'channel_is_archived' },
};
const lists = {
  'GET /api/recap-settings': { recipients: 'nobody', isOptedOut: false },
  'GET /api/slack-channels': [channel],
};
const open = (user: User = admin) =>
  show(<NotificationsPage />, { path: '/app/settings/notifications', user });

test('an agent reads that this is for admins, and no request is sent', async () => {
  const all = fakeServer(lists);
  open({ ...ada, role: 'AGENT' });
  expect(await screen.findByText('Only admins manage notifications')).toBeTruthy();
  expect(all).toEqual([]);
});

test('who gets recaps is saved immediately', async () => {
  const all = fakeServer({
    ...lists,
    'PUT /api/recap-settings': { recipients: 'staff', isOptedOut: false },
  });
  const { by } = open();
  await by.selectOptions(await screen.findByLabelText(/Email a recap/), 'All staff');
  expect(await screen.findByText('Recaps saved')).toBeTruthy();
  expect(all.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { recipients: 'staff' },
  ]);
});

test('a channel that needs attention says why, and takes a new address', async () => {
  const all = fakeServer({ ...lists, [`PATCH /api/slack-channels/${channel.id}`]: channel });
  const { by } = open();
  expect(await screen.findByText('Needs attention')).toBeTruthy();
  expect(screen.getByText(/the channel was archived in Slack/)).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Actions for #success' }));
  await by.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const address = dialog.getByLabelText('New webhook URL');
  await by.type(address, 'https://example.com/hook');
  await by.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/Please paste an address/)).toBeTruthy();
  await by.clear(address);
  await by.type(address, 'https://hooks.slack.com/services/T0/B0/new');
  await by.selectOptions(dialog.getByLabelText('When a score is low'), 'Off');
  await by.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Slack channel saved')).toBeTruthy();
  expect(all.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    {
      name: '#success',
      secretAddress: 'https://hooks.slack.com/services/T0/B0/new',
      callEnded: true,
      lowScore: null,
      language: 'en',
    },
  ]);
});

test('the address of a calendar is shown once, and renewing it is confirmed first', async () => {
  const url = 'https://calls.example.com/calendar/secret.ics';
  const createdAt = '2026-03-04T09:00:00Z';
  const all = fakeServer({
    'GET /api/calendar-feed': { createdAt },
    'POST /api/calendar-feed': Response.json({ createdAt, url }, { status: 201 }),
  });
  const { by } = show(<CalendarCard />, { path: '/app/settings/profile' });
  await by.click(await screen.findByRole('button', { name: 'Renew address' }));
  expect(all.some(({ method }) => method === 'POST')).toBe(false);
  const dialog = within(await screen.findByRole('alertdialog'));
  await by.click(dialog.getByRole('button', { name: 'Renew address' }));
  expect(await screen.findByDisplayValue(url)).toBeTruthy();
});
