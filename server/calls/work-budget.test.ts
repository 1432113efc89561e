import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
afterAll(() => app.close());

test('R5-2: costly messages of an account share a budget over its sockets, and none is lost', async () => {
  const bounded = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  try {
    const own = await bounded.listen();
    const ada = await newOrganization(bounded);
    const { room } = await runningCall(ada);
    const pages = [
      await enter(own, await staffTokenOf(ada, room.id)),
      await enter(own, await staffTokenOf(ada, room.id)),
    ];
    const refused = () => pages.flatMap((page) => page.all('refused')).length;
    for (let n = 0; n < 22; n += 1) {
      for (const page of pages) page.send({ type: 'refuse', guest: crypto.randomUUID() });
    }
    for (const page of pages) page.send({ type: 'ping', sequence: 0 });
    await expect.poll(refused).toBeGreaterThanOrEqual(40);
    expect(pages.flatMap((page) => page.all('pong')).length).toBeLessThan(pages.length);
    await expect.poll(refused, { timeout: 10_000 }).toBe(44);
    await Promise.all(pages.map((page) => page.until('pong')));
  } finally {
    await bounded.close();
  }
});

test('R5-2: any number of lobby changes cause few queries', async () => {
  const ada = await newOrganization(app);
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const host = await enter(url, await staffTokenOf(ada, id));
  const guest = await hello(url, await guestTokenOf(app, ada, id), 'Gus');
  const { guests } = await host.until('lobby', (heard) => heard.guests.length === 1);
  await guest.until('waiting', ({ since }) => since !== null);
  const { counts } = app.services.database;
  const before = counts.statements;
  for (let n = 0; n < 200; n += 1) {
    tellLobbyChange(app.services.bus, { roomId: id, switched: false });
  }
  host.send({ type: 'tell-waiting', guest: guests[0]?.id ?? '', text: 'Soon' });
  await guest.until('waiting', ({ said }) => said === 'Soon');
  expect(counts.statements - before).toBeLessThan(40);
});

test('R5-3: at most twenty places are kept for an account that drops its sockets', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { room } = await runningCall(ada);
  for (let n = 0; n < 25; n += 1) {
    const page = await enter(url, await staffTokenOf(ada, room.id));
    await page.drop();
  }
  const there = async () => {
    const page = await enter(url, await staffTokenOf(bea, room.id));
    const { participants, self } = await page.until('welcome');
    page.send({ type: 'leave' });
    return participants.filter(({ id }) => id !== self).length;
  };
  await expect.poll(there).toBe(20);
});

test('R5-5: a socket that floods with control frames is closed', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const page = await enter(url, await staffTokenOf(ada, room.id));
  for (let n = 0; n < 3000; n += 1) page.socket.pong();
  expect(await page.closed).toBe(1006);
});
