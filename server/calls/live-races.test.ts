import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Entered, enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let roomId: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  const { playbook } = await runningCall(ada);
  const body = { topic: 'Races', playbookId: playbook.id };
  roomId = (await ada.call(createRoom, { body })).id;
});
afterAll(() => app.close());

const token = async () => (await ada.call(openRoom, { params: { id: roomId } })).meetingToken;
const start = () => ada.call(startCall, { body: { roomId } });

/**
 * Delays the result of the next call of a function, as a slow network would.
 * @returns a promise that resolves once it is delayed, and a function that lets it continue
 */
function holdNext<Name extends string>(
  target: Record<Name, (...args: never[]) => Promise<unknown>>,
  name: Name,
) {
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const original = target[name];
  target[name] = async (...args) => {
    target[name] = original;
    const result = await original(...args);
    held.resolve();
    await goOn.promise;
    return result;
  };
  return { held: held.promise, goOn: goOn.resolve };
}

/** Delays the next result of the named statement. */
function holdStatement(name: string) {
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { database } = app.services;
  const original = database.connection;
  database.connection = (tenant, use) =>
    original(tenant, (connection) => {
      const run = async <Row extends QueryResultRow>(statement: Statement, values: unknown[]) => {
        const rows = await connection.run<Row>(statement, values);
        if (statement.name === name && database.connection !== original) {
          database.connection = original;
          held.resolve();
          await goOn.promise;
        }
        return rows;
      };
      return use({ ...connection, run });
    });
  return { held: held.promise, goOn: goOn.resolve };
}

test('a call that starts between reading the admission and joining is known, and can be edited', async () => {
  const meetingToken = await token();
  const admission = holdStatement('admission');
  const entering = enterPanel(url, meetingToken);
  await admission.held; // it found no call
  const call = await start();
  admission.goOn();
  const panel = await entering;
  expect(panel.welcome.call?.id).toBe(call.id);
  panel.send({ type: 'check', id: 'c', itemId: `${call.checklistItems[0]?.id}`, checked: true });
  await panel.until('saved');
});

test('a call that starts while a participant joins is announced, and can be edited', async () => {
  const presence = holdNext(app.services.bus.presence, 'put');
  const entering = enterPanel(url, await token());
  await presence.held;
  const call = await start();
  presence.goOn();
  const panel = await entering;
  expect(panel.welcome.call?.id ?? (await panel.until('call-started')).call.id).toBe(call.id);
  panel.send({ type: 'check', id: 'c', itemId: `${call.checklistItems[0]?.id}`, checked: true });
  await panel.until('saved');
  expect((await panel.until('checklist')).callId).toBe(call.id);
});

test('a call that ends while a participant joins admits them to it no more', async () => {
  const call = await start();
  const staying = await enterPanel(url, await token());
  const presence = holdNext(app.services.bus.presence, 'put');
  const entering = enter(url, await token());
  const outcome = entering.then(
    () => 'in',
    () => 'not in',
  );
  await presence.held;
  await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  presence.goOn();
  expect(await staying.closed).toBe(closeCodes.callEnded);
  expect(await outcome).toBe('not in');
});

test('of two who join at the same moment each receives the other', async () => {
  const presence = holdNext(app.services.bus.presence, 'put');
  const first = enter(url, await token());
  await presence.held; // it has read the roster
  const second = await enter(url, await token());
  presence.goOn();
  const page = await first;
  expect(second.welcome.participants.map(({ id }) => id)).toContain(page.id);
  const known = page.welcome.participants.some(({ id }) => id === second.id);
  if (!known) await page.until('joined', ({ participant }) => participant.id === second.id);
});

test('a participant who joins as the last other leaves still receives the room’s events', async () => {
  const last = await enter(url, await token());
  const presence = holdNext(app.services.bus.presence, 'put');
  const entering = enterPanel(url, await token());
  await presence.held;
  last.send({ type: 'leave' });
  await last.closed;
  presence.goOn();
  const panel = await entering;
  const call = await start();
  expect((await panel.until('call-started')).call.id).toBe(call.id);
});

test('a tick made while a panel receives its initial state is not shown as undone', async () => {
  const call = await start();
  const itemId = `${call.checklistItems[0]?.id}`;
  const writer = await enterPanel(url, await token());
  await writer.until('note');
  const checklist = holdStatement('checklist_of_call');
  const panel = await enterPanel(url, await token());
  await checklist.held; // it found no tick
  writer.send({ type: 'check', id: 'c', itemId, checked: true });
  await writer.until('saved');
  await panel.until('checked');
  checklist.goOn();
  await panel.until('note');
  let shown: boolean | undefined;
  for (const message of panel.heard) {
    if (message.type === 'checked') shown = message.checked;
    if (message.type === 'checklist')
      shown = message.items.find((item) => item.itemId === itemId)?.checked;
  }
  expect(shown).toBe(true);
});

/** Counts how often the named statement runs from now on. */
function countStatement(name: string) {
  const counted = { runs: 0 };
  const { database } = app.services;
  const original = database.connection;
  database.connection = (tenant, use, turn) =>
    original(
      tenant,
      (connection) =>
        use({
          ...connection,
          run: (statement, values) => {
            if (statement.name === name) counted.runs += 1;
            return connection.run(statement, values);
          },
        }),
      turn,
    );
  return Object.assign(counted, {
    stop: () => {
      database.connection = original;
    },
  });
}

/** The ticks that a page shows: its own, once they are saved, and what it received, in that order. */
function shownTicks(panel: Entered, own: Record<string, string> = {}): string[] {
  const shown = new Map<string, boolean>();
  for (const message of panel.heard) {
    if (message.type === 'saved') shown.set(own[message.id] ?? '', true);
    if (message.type === 'checked') shown.set(message.itemId, message.checked);
    if (message.type === 'checklist') {
      for (const { itemId, checked } of message.items) shown.set(itemId, checked);
    }
  }
  return [...shown].flatMap(([itemId, checked]) => (checked ? [itemId] : []));
}

test('R9-3: the checklist is read once for all panels as a call starts, and no tick meanwhile is lost', async () => {
  const panels = [
    await enterPanel(url, await token()),
    await enterPanel(url, await token()),
    await enterPanel(url, await token()),
  ] as const;
  const page = await enter(url, await token());
  const counted = countStatement('checklist_of_call');
  const checklist = holdStatement('checklist_of_call');
  const [mine, others] = (await start()).checklistItems.map(({ id }) => id);
  if (!mine || !others) throw new Error('the playbook has two items');
  await checklist.held; // it found no tick
  page.send({ type: 'media', media: { audio: false, video: true } });
  panels[0].send({ type: 'check', id: 'mine', itemId: mine, checked: true });
  panels[1].send({ type: 'check', id: 'others', itemId: others, checked: true });
  await panels[0].until('saved');
  await panels[1].until('saved');
  await panels[2].until('checked', ({ itemId }) => itemId === others);
  await panels[2].until('changed');
  checklist.goOn();
  for (const panel of panels) {
    await panel.until('note');
    expect(shownTicks(panel, { mine, others }).sort()).toEqual([mine, others].sort());
    expect(panel.all('checklist')).toHaveLength(1);
  }
  expect(counted.runs).toBe(1);
  counted.stop();
});

test('R9-3: a panel is told of its own tick by the checklist, if the bus delivers the tick later', async () => {
  const panel = await enterPanel(url, await token());
  const { bus } = app.services;
  const { publish } = bus;
  const checklist = holdStatement('checklist_of_call');
  const [item] = (await start()).checklistItems;
  await checklist.held; // it found no tick
  const late: (() => void)[] = [];
  bus.publish = (...given) => void late.push(() => publish(...given));
  panel.send({ type: 'check', id: 'c', itemId: `${item?.id}`, checked: true });
  await panel.until('saved');
  checklist.goOn();
  await panel.until('checklist');
  bus.publish = publish;
  for (const deliver of late) deliver();
  await panel.settled();
  expect(shownTicks(panel, { c: `${item?.id}` })).toEqual([item?.id]);
});

test('a hello that fails leaves no participant behind', async () => {
  const staff = await enter(url, await token());
  const { presence } = app.services.bus;
  const { put } = presence;
  presence.put = async (...given) => {
    presence.put = put;
    await put(...given);
    throw new Error('the answer of Redis is lost');
  };
  await expect(enter(url, await token())).rejects.toThrow();
  await staff.settled();
  expect(staff.all('joined')).toEqual([]);
  const next = await enter(url, await token());
  expect(next.welcome.participants.map(({ id }) => id).sort()).toEqual([staff.id, next.id].sort());
});

test('F4: a guest who is removed while their hello is in flight does not enter', async () => {
  await start();
  const host = await enter(url, await token());
  const guestToken = await guestTokenOf(app, ada, roomId);
  const guest = await enter(url, guestToken, { name: 'Cleo' });
  const admission = holdStatement('admission');
  const returning = await hello(url, guest.welcome.token, 'Cleo');
  await admission.held;
  host.send({ type: 'remove', to: guest.id });
  expect(await guest.closed).toBe(closeCodes.removed);
  admission.goOn();
  expect(await returning.closed).toBe(closeCodes.removed);
});

test('R25-A10: a guest who is removed while another hello of theirs is answered keeps no page', async () => {
  await start();
  const host = await enter(url, await token());
  const guest = await enter(url, await guestTokenOf(app, ada, roomId), { name: 'Cleo' });
  const place = holdNext(app.services.bus.presence, 'put');
  const again = await hello(url, guest.welcome.token, 'Cleo');
  await place.held;
  host.send({ type: 'remove', to: guest.id });
  await host.until('left', ({ participantId }) => participantId === guest.id);
  place.goOn();
  // Where the end of their rights is heard of first, they are told to ask again, and not that they were replaced.
  for (const code of [await again.closed, await guest.closed]) {
    expect([closeCodes.removed, sayHelloAgain]).toContain(code);
  }
  const { token: last } = guest.welcome;
  expect(await refusedHello(url, { token: last, name: 'Cleo' })).toBe(closeCodes.removed);
});
