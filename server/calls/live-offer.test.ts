import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRoom } from '#domain/rooms/contract.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let room: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  room = (await runningCall(ada)).room.id;
});
afterAll(() => app.close());

const offer = { connection: 'c1', description: { type: 'offer' as const, sdp: 'v=0' } };
const tokenOf = async (visitor: typeof ada) =>
  (await visitor.call(openRoom, { params: { id: room } })).meetingToken;
const newToken = async () => tokenOf(await newMember(app, ada, 'AGENT'));

test('an offer in a hello is delivered to the only other participant, after the roster', async () => {
  const first = await enter(url, await tokenOf(ada));
  const second = await enter(url, await newToken(), { offer });
  expect(second.welcome.offered).toBe(first.id);
  const brought = await first.until('signal');
  expect(brought).toMatchObject({ from: second.id, signal: offer });
  expect((await first.until('joined')).sequence).toBeLessThan(brought.sequence);
});

test('an offer in a hello is not delivered where several participants are present', async () => {
  const first = await enter(url, await tokenOf(ada));
  const second = await enter(url, await newToken());
  const third = await enter(url, await newToken(), { offer });
  expect(third.welcome).not.toHaveProperty('offered');
  for (const one of [first, second]) expect((await one.settled()).all('signal')).toEqual([]);
});

test('an offer in a hello is delivered neither to a panel nor to a preview', async () => {
  const panel = await enterPanel(url, await tokenOf(ada));
  const preview = await enter(url, await newToken(), { media: undefined });
  const comer = await enter(url, await newToken(), { offer });
  expect(comer.welcome).not.toHaveProperty('offered');
  for (const one of [panel, preview]) expect((await one.settled()).all('signal')).toEqual([]);
});

test('an offer in a hello from the preview is not delivered', async () => {
  const first = await enter(url, await tokenOf(ada));
  const preview = await enter(url, await newToken(), { media: undefined, offer });
  expect(preview.welcome).not.toHaveProperty('offered');
  expect((await first.settled()).all('signal')).toEqual([]);
});

test('an offer in a hello that resumes a session is not delivered', async () => {
  const first = await enter(url, await tokenOf(ada));
  const second = await enter(url, await newToken());
  await second.drop();
  const { session, token } = second.welcome;
  const back = await enter(url, token, { offer, resume: { session, sequence: 0 } });
  expect(back.welcome).toMatchObject({ resumed: true });
  expect(back.welcome).not.toHaveProperty('offered');
  expect((await first.settled()).all('signal')).toEqual([]);
});
