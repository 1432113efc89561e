import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostUrl, type Prepared, prepareRoom } from '../support/api.ts';
import { type Look, openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { noteRecording, type RecordedParts } from '../support/recorded-parts.ts';

let program: Program;
let prepared: Prepared;
let callId: string;
const open: Person[] = [];
beforeAll(async () => {
  program = await startProgram();
  prepared = await prepareRoom(program.url, 'Recorded');
  const { user, roomId } = prepared;
  await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: 'ask' });
  callId = (await user.send<{ id: string }>('POST', '/api/calls', { roomId })).id;
});
afterAll(async () => {
  await Promise.all(open.map((person) => person.close()));
  if (program) await discard(program);
});

async function visit(url: string, look: Look = {}): Promise<Person & { sent: RecordedParts }> {
  const person = await openBrowser(look);
  open.push(person);
  const sent = noteRecording(person.context);
  await person.page.goto(url);
  return { ...person, sent };
}
const countOf = ({ acknowledged }: RecordedParts) => [...acknowledged.values()].flat().length;
const join = ({ page }: Person) => page.getByRole('button', { name: 'Join', exact: true }).click();

test('a host records, a guest agrees, and of a third who declines nothing is ever sent', async () => {
  const ada = await visit(await hostUrl(prepared));
  await join(ada);
  const bo = await visit(prepared.guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await join(bo);
  await bo.page.getByText('You’re the only one here').waitFor({ state: 'detached' });

  await ada.page.getByRole('button', { name: 'Start recording' }).click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Start recording' }).click();
  const question = bo.page.getByRole('dialog', { name: /May Acme Success record you/ });
  await question.waitFor();
  // It is recorded, but not whom nobody has asked.
  await bo.page.getByRole('button', { name: /being recorded/ }).waitFor();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
  await expect.poll(() => countOf(ada.sent), { timeout: 60_000 }).toBeGreaterThan(1);
  expect(bo.sent.requests).toEqual([]);
  await question.getByRole('button', { name: 'Agree' }).click();
  await expect.poll(() => countOf(bo.sent), { timeout: 60_000 }).toBeGreaterThan(1);
  await ada.page.locator('li.tile').getByLabel('Is being recorded').nth(1).waitFor();

  const cy = await visit(prepared.guestUrl, { width: 390, height: 760, phone: true });
  await cy.page.getByLabel('Your name').fill('Cy');
  await cy.page.getByText('May Acme Success record you').waitFor();
  await join(cy);
  await cy.page.getByText('Please choose whether you may be recorded.').waitFor();
  await cy.page.getByLabel('Join unrecorded').check();
  await join(cy);
  const rec = cy.page.getByRole('button', { name: /being recorded/ });
  await expect.poll(async () => (await rec.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
  await rec.click();
  await cy.page.getByRole('dialog').getByText('You’re not being recorded.').waitFor();
  await cy.page.getByRole('dialog').getByText('Not recorded', { exact: true }).waitFor();

  // Withdrawn: the rest is not sent either.
  await bo.page.getByRole('button', { name: /being recorded/ }).click();
  await bo.page.getByRole('button', { name: 'Stop recording me' }).click();
  await bo.page.getByRole('button', { name: 'Stop and delete it' }).click();
  await bo.page.getByText('You’re not being recorded.').waitFor();
  const sentByBo = bo.sent.requests.length;

  // What is recorded is one file that begins as WebM or MP4 does, in whole parts.
  await ada.page.getByRole('button', { name: 'Leave' }).click();
  // While the call had too little bandwidth, its parts waited.
  await ada.page.getByText('Your recording has been sent.').waitFor();
  expect(bo.sent.requests).toHaveLength(sentByBo);
  expect(cy.sent.requests).toEqual([]);
  const [[segment, parts] = ['', []]] = ada.sent.acknowledged;
  // The test may hear of the last part after the page has said that all are sent.
  await expect.poll(() => ada.sent.complete.get(segment) === parts.length).toBe(true);
  expect(parts[0]?.subarray(0, 4).toString('hex')).toMatch(/^1a45dfa3|^000000/);
  expect(parts.every((part) => part.length > 0)).toBe(true);
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
  await Promise.all(open.splice(0).map((person) => person.close()));
});

test('afterwards the call’s page plays those who agreed, and removing the last of them leaves nothing', async () => {
  const { user } = prepared;
  await user.send('PUT', `/api/calls/${callId}`, { endForEveryone: true });
  const recorded = () =>
    user.send<{ state: string; people: { name: string }[] }>(
      'GET',
      `/api/calls/${callId}/recording`,
    );
  await expect.poll(async () => (await recorded()).state, { timeout: 60_000 }).toBe('ready');
  expect((await recorded()).people.map(({ name }) => name)).toEqual(['Ada Lovelace']);
  const ada = await openBrowser();
  open.push(ada);
  const { page } = ada;
  await user.signIn(ada);
  await page.goto(`${program.url}/app/calls/${callId}?t=2`);
  const slider = page.getByRole('slider', { name: 'Position' });
  const position = async () => Number(await slider.getAttribute('aria-valuenow'));
  await slider.waitFor();
  const before = await position();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(position).toBeGreaterThan(before);
  const picture = () =>
    page.evaluate(() => {
      const [video] = document.querySelectorAll('video');
      return video && video.videoWidth > 0 && video.error === null;
    });
  await expect.poll(picture).toBe(true);

  await page.getByRole('button', { name: 'More about this recording' }).click();
  await page.getByRole('menuitem', { name: 'Remove Ada Lovelace' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('This recording was deleted.').waitFor();
  expect(await recorded()).toMatchObject({ state: 'deleted', people: [] });
  expect(ada.complaints).toEqual([]);
});

test('after a reload the page sends what was left, and records on as the participant agreed', {
  tags: 'full',
}, async () => {
  const { user, roomId } = prepared;
  await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: 'start' });
  // The call of the test before may still be ending.
  const { id } = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
  await user.send('PUT', `/api/calls/${id}`, { endForEveryone: true });
  await user.send('POST', '/api/calls', { roomId });
  // A call ends with its last page, so that someone stays in it.
  const ada = await visit(await hostUrl(prepared), { devices: 'none' });
  await ada.page.getByLabel('Join unrecorded').check();
  await join(ada);
  const dan = await visit(prepared.guestUrl);
  const { page, context, sent } = dan;
  await page.getByLabel('Your name').fill('Dan');
  await page.getByLabel('Record me').check();
  await join(dan);
  await expect.poll(() => countOf(sent), { timeout: 60_000 }).toBeGreaterThan(0);
  await context.route('**/parts/*', (route) => route.fulfill({ status: 503 }));
  await page.getByText('Your recording isn’t being saved right now').waitFor();
  const [segment = ''] = [...sent.acknowledged.keys()];
  const acknowledged = sent.acknowledged.get(segment)?.length ?? 0;
  await expect
    .poll(() => sent.requests.filter((one) => one.endsWith(`/${acknowledged}`)).length)
    .toBeGreaterThan(1);
  await page.reload();
  await context.unroute('**/parts/*');
  await expect
    .poll(() => sent.complete.get(segment), { timeout: 60_000 })
    .toBeGreaterThan(acknowledged);
  expect(sent.acknowledged.get(segment)).toHaveLength(sent.complete.get(segment) ?? 0);
  // The same participant in the same call: the answer still counts, and another segment begins.
  await expect.poll(() => sent.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(1);
});
