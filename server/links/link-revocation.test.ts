import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { createLink, revokeLink } from '#domain/links/contract.ts';
import { createRoom, renewGuestLink } from '#domain/rooms/contract.ts';
import { enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { bothOn, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
let callId: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await ada.call(createRoom, { body: { topic: 'Review' } })).id;
  callId = await start();
});
afterAll(() => app.close());

const start = async () => (await ada.call(startCall, { body: { roomId: id } })).id;
const end = () => ada.call(updateCall, { params: { id: callId }, body: { endForEveryone: true } });
const renew = () => ada.call(renewGuestLink, { params: { id } });
const mainToken = () => guestTokenOf(app, ada, id);
async function namedLink() {
  const link = await ada.call(createLink, { params: { id }, body: { name: 'For Acme' } });
  const path = `/api/join/${link.url.split('/').at(-1)}`;
  const { body } = await new Visitor(app).send('GET', path);
  const revoke = () => ada.call(revokeLink, { params: { id: link.id } });
  return { revoke, token: (body as { meetingToken: string }).meetingToken };
}

test('H7: opening the preview yields no token that outlives the link, whether main or named', async () => {
  const { token, revoke } = await namedLink();
  for (const [first, withdraw] of [
    [await mainToken(), renew],
    [token, revoke],
  ] as const) {
    const preview = await hello(url, first);
    const { token: renewed } = await preview.until('waiting');
    await withdraw();
    expect(await preview.closed).toBe(closeCodes.tokenRefused);
    for (const kept of [first, renewed]) {
      expect(await refusedHello(url, { token: kept, media: bothOn })).toBe(closeCodes.tokenRefused);
    }
  }
});

test('a guest in the running call stays when the link ends, and can return only to this call', async () => {
  const page = await enter(url, await mainToken(), { name: 'Cleo' });
  await renew();
  await page.settled();
  await page.drop();
  const back = await enter(url, page.welcome.token, { name: 'Cleo' });
  expect(back.id).toBe(page.id);
  await end();
  await back.closed;
  for (const startsNext of [false, true]) {
    if (startsNext) callId = await start();
    const token = back.welcome.token;
    expect(await refusedHello(url, { token, media: bothOn })).toBe(closeCodes.tokenRefused);
  }
});

test('a guest whose connection is lost while the attendance is being stored can return after the link ends', async () => {
  const token = await mainToken();
  const staffToken = await staffTokenOf(ada, id);
  await app.owner.query('begin');
  await app.owner.query('select from calls where id = $1 for no key update', [callId]);
  const page = await enter(url, token, { name: 'Cleo' });
  await page.drop();
  await renew();
  const returning = enter(url, page.welcome.token, { name: 'Cleo' });
  // The hello before this one has been read, and waits for the attendance.
  await enterPanel(url, staffToken);
  await app.owner.query('commit');
  expect((await returning).id).toBe(page.id);
});

test('a guest who waits in the meeting for a call to start is removed when the link ends', async () => {
  await end();
  const page = await enter(url, await mainToken(), { name: 'Cleo' });
  await renew();
  expect(await page.closed).toBe(closeCodes.tokenRefused);
});

test('the token of one call is refused in the next, for which the link must be followed again', async () => {
  const page = await enter(url, await mainToken(), { name: 'Cleo' });
  await end();
  await page.closed;
  // As if the call had ended before the attendance was stored.
  await app.owner.query('delete from attendances where call_id = $1', [callId]);
  callId = await start();
  const { token } = page.welcome;
  expect(await refusedHello(url, { token, media: bothOn })).toBe(closeCodes.tokenRefused);
  await enter(url, await mainToken(), { name: 'Cleo' });
});

test('revoking one of several links removes only its guests', async () => {
  const { revoke } = await namedLink();
  const preview = await hello(url, await mainToken());
  await preview.until('waiting');
  await revoke();
  await preview.settled();
});
