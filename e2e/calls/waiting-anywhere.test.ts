import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser, type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { joinFromPreview, meetingFrame } from '../support/staff.ts';

const program = sharedProgram();
let prepared: Prepared;
let ada: Person;
const open: Person[] = [];

async function somebody(look: Parameters<typeof openBrowser>[0] = {}): Promise<Person> {
  const person = await openBrowser(look);
  open.push(person);
  return person;
}

async function asks(name: string): Promise<Person> {
  const person = await somebody({ width: 640, height: 640 });
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Ask to join' }).click();
  await person.page.getByRole('heading', { name: 'You’re in the lobby' }).waitFor();
  return person;
}

/** A colleague of Ada's, by an invitation. */
async function colleague(firstName: string): Promise<Person> {
  const email = `${firstName.toLowerCase()}@acme.example`;
  const { url } = await prepared.user.send<{ url: string }>('POST', '/api/users/invite', {
    email,
    role: 'AGENT',
  });
  const user = new ApiUser(program.url);
  const credentials = { email, password: 'correct horse' };
  await user.send('POST', `/api/invitations/${url.split('/').at(-1)}/accept`, {
    ...credentials,
    firstName,
    lastName: 'Hopper',
  });
  await user.send('POST', '/api/login', credentials);
  const person = await somebody({ camera: 'green' });
  await user.signIn(person);
  return person;
}

const icon = ({ page }: Pick<Person, 'page'>) =>
  page.locator('link[rel="icon"]').getAttribute('href');
const card = ({ page }: Pick<Person, 'page'>) =>
  page.getByRole('region', { name: 'Waiting guests' });
const isOver = (person: Pick<Person, 'page'>) => card(person).waitFor({ state: 'detached' });

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Waiting');
  await prepared.user.send('PATCH', `/api/rooms/${prepared.roomId}`, { lobby: true });
  ada = await somebody({ camera: 'red' });
  await prepared.user.signIn(ada);
});
afterAll(() => Promise.all(open.map((person) => person.close())));

test('the tabs of a browser share one connection, which the next tab takes over', async () => {
  const sockets: string[] = [];
  ada.context.on('page', (page) => {
    page.on('websocket', (socket) => sockets.push(socket.url()));
  });
  const [first, second] = [await ada.context.newPage(), await ada.context.newPage()];
  const holding = first.waitForEvent('websocket');
  await first.goto(`${program.url}/app/analytics`);
  await holding;
  await second.goto(`${program.url}/app/rooms`);
  const samuel = await asks('Samuel');
  await card({ page: first }).getByText('Samuel is waiting').waitFor();
  await card({ page: second }).getByText('Samuel is waiting').waitFor();
  expect(sockets).toHaveLength(1);

  const takenOver = second.waitForEvent('websocket');
  await first.close();
  await takenOver;
  await card({ page: second }).getByRole('link', { name: 'View Waiting' }).click();
  const preview = meetingFrame({ page: second });
  await preview.getByText('Samuel is waiting in the lobby.').waitFor();
  await isOver({ page: second });
  await samuel.page.getByRole('button', { name: 'Leave' }).click();
  await preview.getByText('Samuel is waiting in the lobby.').waitFor({ state: 'detached' });
  await second.close();
});

test('a guest is noticed while the agent is on Analytics, and is admitted from there', async () => {
  await ada.page.goto(`${program.url}/app/analytics`);
  await ada.page.getByRole('heading', { name: 'Analytics', exact: true }).waitFor();
  expect(await icon(ada)).toBe('/icon.svg');
  const title = await ada.page.title();
  const samuel = await asks('Samuel');
  await card(ada).getByText('Samuel is waiting').waitFor();
  await expect.poll(() => ada.page.title()).toBe(`(1) ${title}`);
  expect(await icon(ada)).toBe('/icon-waiting.svg');

  // On other pages, too, with the room's badge.
  await ada.page.getByRole('link', { name: 'Rooms' }).first().click();
  await ada.page.getByText('1 waiting').waitFor();
  await card(ada).getByText('Samuel is waiting').waitFor();
  await expect.poll(() => ada.page.title()).toMatch(/^\(1\) Rooms/);
  await ada.page.getByRole('link', { name: 'Analytics' }).first().click();

  // Nobody of the team is in the call, so Ada goes there.
  await card(ada).getByRole('button', { name: 'Admit Samuel' }).click();
  await ada.page.waitForURL(/\/call$/);
  await samuel.page.getByRole('button', { name: 'Leave' }).first().waitFor();
  await isOver(ada);
  await expect.poll(() => ada.page.title()).not.toMatch(/^\(/);
  expect(await icon(ada)).toBe('/icon.svg');
  expect(ada.complaints).toEqual([]);
  await samuel.close();
});

test('of two agents who admit a guest, the second is told who was first', {
  tags: 'full',
}, async () => {
  const ben = await colleague('Grace');
  await ben.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(ben);
  await meetingFrame(ben).locator('li.tile').first().waitFor();
  await ben.page.getByRole('button', { name: 'Open menu' }).click();
  await ben.page.getByRole('link', { name: 'Analytics' }).click();
  await ada.page.goto(`${program.url}/app/rooms`);
  await ada.page.getByText(/^Live · 1 person/).waitFor();

  const tina = await asks('Tina');
  await card(ada).getByText('Tina is waiting').waitFor();
  const { promise: adaHasDecided, resolve: decided } = Promise.withResolvers<void>();
  await ben.page.route('**/lobby-decisions', async (route) => {
    await adaHasDecided;
    await route.continue();
  });
  await card(ben).getByRole('button', { name: 'Admit Tina' }).click();
  await card(ada).getByRole('button', { name: 'Admit Tina' }).click();
  await ada.page.getByText('Tina is joining Waiting').first().waitFor();
  decided();
  await ben.page.getByText('Tina was already admitted by Ada Lovelace').first().waitFor();
  // Somebody of the team is in the call, so Ada stays where she is.
  expect(new URL(ada.page.url()).pathname).toBe('/app/rooms');
  await tina.close();
});
