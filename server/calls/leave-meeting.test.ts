import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
afterAll(() => app.close());

const leave = (token: string, session: string) =>
  new Visitor(app).send('POST', '/api/meetings/leave', { token, session });

/** An admin and a member in the meeting of one room, each with their meeting token. */
async function twoInMeeting() {
  const ada = await newOrganization(app);
  const member = await newMember(app, ada, 'AGENT');
  const room = await ada.call(createRoom, { body: { topic: 'Closing tabs' } });
  const tokenOf = async (user: typeof ada) =>
    (await user.call(openRoom, { params: { id: room.id } })).meetingToken;
  const [stays, closes] = [await tokenOf(ada), await tokenOf(member)];
  return { stays: await enter(url, stays), closes: await enter(url, closes), token: closes };
}

test('a page whose socket broke leaves by request immediately', async () => {
  const { stays, closes, token } = await twoInMeeting();
  await closes.drop();
  await stays.until('changed', ({ participant }) => !participant.connected);
  expect(await leave(token, closes.welcome.session)).toMatchObject({ status: 204 });
  const { participantId } = await stays.until('left');
  expect(participantId).toBe(closes.id);
});

test('a page that is still connected is closed', async () => {
  const { closes, token } = await twoInMeeting();
  await leave(token, closes.welcome.session);
  expect(await closes.closed).toBe(1000);
});

test('the session of another participant, or an earlier one of the same page, ends nothing', async () => {
  const { stays, closes, token } = await twoInMeeting();
  for (const session of [stays.welcome.session, randomUUID()]) {
    expect(await leave(token, session)).toMatchObject({ status: 204 });
  }
  // Events of a room arrive in order.
  closes.send({ type: 'react', reaction: '👏' });
  await stays.until('reacted');
  expect(stays.all('left')).toEqual([]);
});

test('a forged token is refused', async () => {
  expect(await leave('forged', randomUUID())).toMatchObject({
    status: 403,
    body: { code: 'token_refused' },
  });
});
