// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PlaybookList } from '#web/playbooks/playbook-list.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { somePlaybook } from '#web/testing/some.ts';

const playbook = somePlaybook(['One', 'Two', 'Three']);
const path = `/api/playbooks/${playbook.id}`;
const [one, two, three] = [80, 81, 82].map(someId);
const dialog = () => within(screen.getByRole('dialog'));
const item = (number: number) => screen.getByLabelText<HTMLInputElement>(`Item ${number}`);
const texts = () =>
  screen.getAllByLabelText<HTMLInputElement>(/^Item \d/).map(({ value }) => value);
const save = () => dialog().getByRole('button', { name: 'Save Changes' });

async function open(put: Parameters<typeof fakeServer>[0][string] = playbook, read = playbook) {
  const asked = fakeServer({
    'GET /api/playbooks': [playbook],
    [`GET ${path}`]: () => read,
    [`PUT ${path}`]: put,
  });
  const { by } = show(<PlaybookList />, { path: `/app/playbooks?edit=${playbook.id}` });
  await screen.findByLabelText('Item 3');
  const puts = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { by, puts, asked };
}

test('items are edited in place, and moved by the arrow keys of their handle, which keeps the focus', async () => {
  const { by, puts } = await open();
  await by.type(item(1), '!');
  screen.getByRole('button', { name: 'Move item 3' }).focus();
  await by.keyboard('{ArrowUp}');
  expect(screen.getByText('Item 3 is now item 2 of 3.')).toBeTruthy();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move item 2');
  await by.keyboard('{ArrowUp}{ArrowUp}');
  expect(texts()).toEqual(['Three', 'One!', 'Two']);
  await by.click(screen.getByRole('button', { name: 'Remove item 3' }));
  await by.type(screen.getByLabelText('New item'), 'Four{Enter}');
  await by.click(save());
  await waitFor(() =>
    expect(puts()).toEqual([
      {
        title: 'First call',
        description: '',
        version: 1,
        checklistItems: [{ id: three, text: 'Three' }, { id: one, text: 'One!' }, { text: 'Four' }],
      },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
});

const changed = refusal(409, {
  code: 'playbook_changed',
  message: 'Ben changed this playbook while you were editing it. Nothing was saved over it.',
});

test('after another person’s edit no input is lost, and it can be saved over theirs', async () => {
  const theirs = { ...somePlaybook(['One']), version: 2, title: 'Ben’s' };
  let refused = false;
  const { by, puts } = await open(() => {
    if (refused) return { ...theirs, version: 3 };
    refused = true;
    return changed;
  });
  await by.type(item(2), ' mine');
  const readTheirs = fakeServerRead(theirs);
  await by.click(save());
  expect(await screen.findByText(/^Ben changed this playbook/)).toBeTruthy();
  expect(item(2).value).toBe('Two mine');
  readTheirs();
  await by.click(screen.getByRole('button', { name: 'Save my version' }));
  await waitFor(() => expect(puts().length).toBe(2));
  expect(puts()[1]).toMatchObject({
    version: 2,
    // The two items that they removed are new ones now.
    checklistItems: [{ id: one, text: 'One' }, { text: 'Two mine' }, { text: 'Three' }],
  });
  expect(two).toBeTruthy();
});

/** Makes the next request for the playbook return another version. */
function fakeServerRead(theirs: object) {
  const before = globalThis.fetch;
  return () => {
    globalThis.fetch = async (address, init) =>
      String(address) === path && (init?.method ?? 'GET') === 'GET'
        ? Response.json(theirs)
        : before(address, init);
  };
}

test('after another person’s edit theirs can be shown instead', async () => {
  const { by } = await open(() => changed);
  await by.type(item(2), ' mine');
  const readTheirs = fakeServerRead({ ...somePlaybook(['Alone']), version: 2, title: 'Ben’s' });
  await by.click(save());
  await screen.findByText(/^Ben changed this playbook/);
  readTheirs();
  await by.click(screen.getByRole('button', { name: 'Show their version' }));
  await waitFor(() => expect(texts()).toEqual(['Alone']));
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Ben’s');
});

test('a missing playbook is reported', async () => {
  fakeServer({ 'GET /api/playbooks': [playbook] });
  show(<PlaybookList />, { path: `/app/playbooks?edit=${someId(99)}` });
  expect(await screen.findByText('This playbook doesn’t exist')).toBeTruthy();
});

test('archiving says where to find the playbook, and restoring brings it back', async () => {
  const archived = { ...playbook, status: 'archived' as const, archivedAt: playbook.createdAt };
  const asked = fakeServer({
    'GET /api/playbooks': [playbook],
    [`PUT ${path}/archive`]: archived,
    [`DELETE ${path}/archive`]: playbook,
  });
  const { by, unmount } = show(<PlaybookList />);
  await by.click(await screen.findByRole('button', { name: 'More options for First call' }));
  await by.click(await screen.findByRole('menuitem', { name: 'Archive' }));
  expect(await screen.findByText('Playbook archived')).toBeTruthy();
  unmount();
  fakeServer({ 'GET /api/playbooks': [archived], [`DELETE ${path}/archive`]: playbook });
  const again = show(<PlaybookList />, { path: '/app/playbooks?status=archived' });
  await again.by.click(await screen.findByRole('button', { name: 'More options for First call' }));
  await again.by.click(await screen.findByRole('menuitem', { name: 'Restore' }));
  expect(await screen.findByText('Playbook restored')).toBeTruthy();
  expect(asked.some(({ path: to }) => to === `${path}/archive`)).toBe(true);
});
