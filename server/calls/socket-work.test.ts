import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRoom } from '#domain/rooms/contract.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { chargeSockets } from './socket-work.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
  // An organization's sockets have 300 ms of a connection at once, and 100 ms a second.
  chargeSockets(app.services.database, 0.1);
});
afterAll(() => app.close());

/** Opens two pages of each of these accounts in the first one's running call. */
async function pagesOfCall(owner: Visitor, ...others: Visitor[]): Promise<Entered[]> {
  const { room } = await runningCall(owner);
  const pages: Entered[] = [];
  for (const visitor of [owner, owner, ...others, ...others]) {
    const { meetingToken } = await visitor.call(openRoom, { params: { id: room.id } });
    pages.push(await enter(url, meetingToken));
  }
  return pages;
}

const say = (page: Entered | undefined, id: string) =>
  page?.send({ type: 'chat', id, text: 'Hello' });
const saved = async (page: Entered | undefined, id: string) =>
  page?.until('saved', (heard) => heard.id === id);

/** For how long the newest statement has waited for a lock, in seconds. */
async function shortestWait(): Promise<number> {
  await app.owner.query('select pg_stat_clear_snapshot()');
  const { rows } = await app.owner.query(
    `select extract(epoch from min(clock_timestamp() - query_start))::float as seconds
     from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].seconds;
}

test('R21-54: messages that write wait for the time that their organization’s have used, and no others', async () => {
  const ada = await newOrganization(app);
  const adas = await pagesOfCall(ada, await newMember(app, ada, 'AGENT'));
  const [bens] = await pagesOfCall(await newOrganization(app));
  await app.owner.query('begin; lock table chat_messages in share mode');
  try {
    for (const page of adas) say(page, 'long');
    await expect.poll(() => lockWaiters(app)).toBe(4);
    await expect.poll(shortestWait).toBeGreaterThan(0.25);
  } finally {
    await app.owner.query('commit');
  }
  await Promise.all(adas.map((page) => saved(page, 'long')));
  const order: string[] = [];
  say(adas[0], 'next');
  const next = saved(adas[0], 'next').then(() => order.push('ada'));
  say(bens, 'own');
  await saved(bens, 'own').then(() => order.push('ben'));
  // What is only relayed does not wait.
  adas[1]?.send({ type: 'media', media: { audio: false, video: true } });
  await adas[2]?.until('changed').then(() => order.push('relayed'));
  await next;
  expect(order).toEqual(['ben', 'relayed', 'ada']);
});
