// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCall, somePlaybook } from '#web/testing/some.ts';

const playbook = somePlaybook(['Say hello', 'Agree', 'New step'], 'Renewal');
const [hello, agree] = playbook.checklistItems;
const open = (use: object, address = `/app/playbooks/${playbook.id}`) => {
  fakeServer({
    [`GET /api/playbooks/${playbook.id}`]: playbook,
    [`GET /api/playbooks/${playbook.id}/use`]: use,
    'GET /api/calls': [someCall()],
    'GET /api/call-count': { total: 1, isExact: true },
    'GET /api/call-choices': { rooms: [], playbooks: [], agents: [] },
  });
  return show(<AppRoutes />, { path: address });
};

test('a playbook’s page has its steps with their completion, its rooms, and its calls', async () => {
  open({
    rooms: [{ id: someId(40), topic: 'Globex' }],
    calls: 4,
    steps: [
      { id: hello?.id, calls: 4, done: 3 },
      { id: agree?.id, calls: 4, done: 0 },
    ],
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Renewal' })).toBeTruthy();
  expect(await screen.findByText('Completion in the latest 4 calls with guests.')).toBeTruthy();
  const step = (text: string) => within(screen.getByText(text).closest('li') ?? document.body);
  expect(step('Say hello').getByText('75%', { exact: false })).toBeTruthy();
  expect(step('Say hello').getByText('Done in 3 of 4 calls')).toBeTruthy();
  expect(step('Agree').getByText('0%', { exact: false })).toBeTruthy();
  expect(step('New step').getByText('-')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Globex' })).getAttribute('href')).toBe(
    `/app/rooms/${someId(40)}`,
  );
  expect(await screen.findByRole('table', { name: 'Calls' })).toBeTruthy();
});

test('an unused playbook says when completion appears', async () => {
  open({ rooms: [], calls: 0, steps: [] });
  expect(await screen.findByText(/^Completion appears after the first call/)).toBeTruthy();
  expect(screen.getByText('No active room uses this playbook.')).toBeTruthy();
});

test.each([`/app/playbooks/${someId(99)}`, '/app/playbooks/not-an-id'])(
  '%s says that there is no such playbook',
  async (address) => {
    open({}, address);
    expect(await screen.findByText('This playbook doesn’t exist')).toBeTruthy();
  },
);
