import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';

const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];

async function somebody(...args: Parameters<typeof openBrowser>): Promise<Person> {
  const person = await openBrowser(...args);
  open.push(person);
  return person;
}

/** Opens the guest link and joins under a name. */
async function joinAs(person: Person, name: string): Promise<void> {
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Guests');
});
// Who stays after a failed test would take a place of the next one.
afterEach(() => Promise.all(open.splice(0).map((person) => person.close())));

test('four guests see each other, and a fifth reads that the room is full, and why', async () => {
  const colors = ['red', 'blue', 'green', 'grey'] as const;
  const people = await Promise.all(colors.map((camera) => somebody({ camera, width: 640 })));
  for (const [at, person] of people.entries()) await joinAs(person, `Guest ${at + 1}`);
  const [first] = people;
  if (!first) throw new Error('unreachable: four people were made');
  await expect.poll(() => first.page.locator(remoteVideo).count()).toBe(3);
  const named = (name: string) => `li.tile:has(video[aria-label="${name}"]) video`;
  await seesMoving(first.page, named('Guest 2'), 'blue');

  const fifth = await somebody({ devices: 'none' });
  await joinAs(fifth, 'Guest 5');
  await fifth.page.getByRole('heading', { name: 'This room is full' }).waitFor();
  await fifth.page.getByText(/limited to four people/).waitFor();

  // Closing a tab leaves immediately: the place is free.
  await Promise.all(people.map(({ page }) => page.goto('about:blank')));
  await fifth.page.getByRole('button', { name: 'Try again' }).click();
  await fifth.page.getByText('You’re the only one here').waitFor();
});

test('while the videos arrive directly, a page sends a message every five seconds', {
  tags: 'full',
}, async () => {
  const [one, other] = [await somebody({ camera: 'red' }), await somebody({ camera: 'blue' })];
  const sentAt: number[] = [];
  one.page.on('websocket', (socket) =>
    socket.on('framesent', () => sentAt.push(performance.now())),
  );
  await joinAs(one, 'One');
  await joinAs(other, 'Other');
  await seesMoving(one.page, remoteVideo, 'blue');
  const gaps = () => sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? at));
  const long = () =>
    gaps()
      .slice(-2)
      .filter((gap) => gap > 4_500);
  await expect.poll(() => long().length).toBe(2);
});

test('a guest without devices reads what to do, and can join to listen', async () => {
  const [talker, listener] = [
    await somebody({ camera: 'red' }),
    await somebody({ devices: 'none' }),
  ];
  await joinAs(talker, 'Talker');
  await listener.page.goto(prepared.guestUrl);
  await listener.page.getByText('No camera or microphone found.').waitFor();
  await listener.page.getByLabel('Your name').fill('Listener');
  await listener.page.getByRole('button', { name: 'Join', exact: true }).click();
  await seesMoving(listener.page, remoteVideo, 'red');
  await talker.page.getByText('Listener').first().waitFor();
});

test('a guest who denies camera and microphone reads how to allow them', async () => {
  const refuser = await somebody({ devices: 'deny' });
  await refuser.page.goto(prepared.guestUrl);
  await expect.poll(() => refuser.page.locator('.notice').first().textContent()).toMatch(/allow/i);
});

test('renewing the link closes the old one with an explanation, and a forged link leads nowhere', async () => {
  const visitor = await somebody({ devices: 'none' });
  await prepared.user.send('POST', `/api/rooms/${prepared.roomId}/guest-link`);
  await visitor.page.goto(prepared.guestUrl);
  await visitor.page.getByText(/This link has been replaced/).waitFor();
  await visitor.page.goto(`${program.url}/join/${'A'.repeat(64)}`);
  await visitor.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
});

test('a forged meeting token is refused in the frame, which says what to do', async () => {
  const visitor = await somebody({ devices: 'none' });
  await visitor.page.goto(`${program.url}/meet/${prepared.roomId}?t=forged.meeting.token`);
  const join = visitor.page.getByRole('button', { name: 'Join', exact: true });
  const refused = visitor.page.getByText(/Reload the page to join again/);
  await join.or(refused).first().waitFor();
  if (await join.isVisible()) await join.click();
  await refused.waitFor();
  expect(new URL(visitor.page.url()).search).toBe('');
});
