import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];

async function guest(name: string): Promise<Person> {
  const person = await openBrowser({ devices: 'none', width: 900, height: 640 });
  open.push(person);
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
  await person.page.getByRole('button', { name: 'React' }).waitFor();
  return person;
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Chat');
  await prepared.user.send('POST', '/api/calls', { roomId: prepared.roomId });
});
afterAll(() => Promise.all(open.map((person) => person.close())));

test('messages reach the others, including those who join later, and markup in them stays text', async () => {
  const [ada, bo] = [await guest('Ada'), await guest('Bo')];
  await bo.page.getByText('You’re the only one here').waitFor({ state: 'detached' });
  await ada.page.getByRole('button', { name: 'Chat' }).click();
  await ada.page.getByText('No messages yet').waitFor();
  const field = ada.page.getByLabel('Message', { exact: true });
  await field.fill('See <b>https://example.com</b>');
  await field.press('Enter');
  await bo.page.getByRole('button', { name: 'Chat, 1 new message' }).click();
  await bo.page.getByRole('log').getByText('See <b>https://example.com</b>').waitFor();
  const link = bo.page.getByRole('log').getByRole('link', { name: 'https://example.com' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  await bo.page.keyboard.type('Thank you');
  await bo.page.keyboard.press('Enter');
  await ada.page.getByRole('log').getByText('Thank you').waitFor();
  await bo.page.keyboard.press('Escape');
  await bo.page.getByRole('complementary', { name: 'Chat' }).waitFor({ state: 'detached' });

  const cy = await guest('Cy');
  await cy.page.getByRole('button', { name: 'Chat' }).click();
  await expect
    .poll(() => cy.page.getByRole('log').locator('article p').allTextContents())
    .toEqual(['See <b>https://example.com</b>', 'Thank you']);
});

test('a raised hand and a reaction show on the other side', async () => {
  const [ada, bo] = open;
  if (!ada || !bo) throw new Error('unreachable: the test before opened both');
  await ada.page.getByRole('button', { name: 'React' }).click();
  await ada.page.getByRole('button', { name: 'Raise hand' }).click();
  await bo.page.getByText('Ada raised their hand').waitFor();
  await bo.page.locator('li.tile').getByLabel('hand raised').waitFor();
  await bo.page.getByRole('button', { name: 'React' }).click();
  await bo.page.getByRole('button', { name: 'Applause' }).click();
  await ada.page.getByLabel('reacted with Applause').waitFor();
  await ada.page.getByRole('button', { name: 'React' }).click();
  await ada.page.getByRole('button', { name: 'Lower hand' }).click();
  await bo.page.getByLabel('hand raised').waitFor({ state: 'detached' });
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});
