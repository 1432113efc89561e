import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/live.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let bea: Awaited<ReturnType<typeof newMember>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  bea = await newMember(app, ada, 'AGENT');
  started = await runningCall(ada);
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;

test('attack 14: who is removed is out of the room at once, page and panel, and the others are told', async () => {
  const adas = await enter(url, await tokenOf(ada));
  const token = await tokenOf(bea);
  const [page, panel] = [await enter(url, token), await enterPanel(url, token)];
  await ada.call(removeUser, { params: { id: bea.user.id } });
  expect(await page.closed).toBe(closeCodes.removed);
  expect(await panel.closed).toBe(closeCodes.removed);
  await adas.until('left', ({ participantId }) => participantId === page.id);
  expect(await refusedHello(url, { token: page.welcome.token })).toBe(closeCodes.removed);
});

test('who becomes a viewer edits nothing from that moment, and comes back as one', async () => {
  const token = await tokenOf(bea);
  const panel = await enterPanel(url, token);
  expect(panel.welcome.mayEdit).toBe(true);
  await ada.call(changeRole, { params: { userId: bea.user.id }, body: { role: 'VIEWER' } });
  await panel.closed;
  const back = await enterPanel(url, panel.welcome.token);
  expect(back.welcome.mayEdit).toBe(false);
});

test('what another organisation does with its members touches nobody here', async () => {
  const eve = await newOrganization(app);
  const eves = await newMember(app, eve, 'AGENT');
  const page = await enter(url, await tokenOf(bea));
  await eve.call(removeUser, { params: { id: eves.user.id } });
  page.send({ type: 'ping', sequence: 0 });
  await page.until('pong');
});
