import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostUrl, type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];

async function guest(name: string): Promise<Person> {
  const person = await openBrowser({ width: 900, height: 640 });
  open.push(person);
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
  return person;
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Host');
  await prepared.user.send('POST', '/api/calls', { roomId: prepared.roomId });
});
afterAll(() => Promise.all(open.map((person) => person.close())));

test('a host mutes a guest, removes one, and locks the call', async () => {
  const host = await openBrowser({ width: 900, height: 640 });
  open.push(host);
  await host.page.goto(await hostUrl(prepared));
  await host.page.getByRole('button', { name: 'Join', exact: true }).click();
  const [bo, cy] = [await guest('Bo'), await guest('Cy')];
  await expect.poll(() => bo.page.getByRole('button', { name: 'People' }).count()).toBe(0);

  await host.page.getByRole('button', { name: 'People' }).click();
  await host.page.getByRole('button', { name: 'Mute Bo' }).click();
  await bo.page.getByText(/muted you$/).waitFor();
  await bo.page.getByRole('button', { name: 'Unmute microphone' }).waitFor();
  await host.page.getByRole('button', { name: 'Mute Bo' }).waitFor({ state: 'detached' });

  await host.page.getByRole('button', { name: 'Remove Cy' }).click();
  await host.page.getByRole('button', { name: 'Remove and lock' }).click();
  await cy.page.getByRole('heading', { name: 'You were removed from this call' }).waitFor();
  await host.page.getByText('The call is locked. No one new can join.').waitFor();
  await host.page.getByRole('button', { name: 'Remove Cy' }).waitFor({ state: 'detached' });

  await cy.page.reload();
  await cy.page.getByRole('heading', { name: 'You were removed from this call' }).waitFor();
  const late = await openBrowser({ width: 900, height: 640 });
  open.push(late);
  await late.page.goto(prepared.guestUrl);
  await late.page.getByRole('heading', { name: 'This call is locked' }).waitFor();
  await host.page.getByRole('button', { name: 'Unlock call' }).click();
  await host.page.getByText('Anyone with the link can join.').waitFor();
  await late.page.getByRole('button', { name: 'Try again' }).click();
  await late.page.getByLabel('Your name').fill('Dan');
  // After a removal, new guests must ask for the rest of this call.
  await late.page.getByRole('button', { name: 'Ask to join' }).click();
  await host.page.getByRole('button', { name: 'Admit Dan' }).click();
  await host.page.getByRole('button', { name: 'Remove Dan' }).waitFor();
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});
