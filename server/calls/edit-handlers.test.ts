import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as Y from 'yjs';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import {
  type Entered,
  enter,
  enterPanel,
  type LiveClient,
  refusedHello,
} from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: started.room.id } })).meetingToken;
/** Opens a panel that has received the stored state. */
async function panelOf(visitor: Visitor = ada): Promise<Entered> {
  const panel = await enterPanel(url, await tokenOf(visitor));
  if (panel.welcome.call) await panel.until('note');
  return panel;
}
async function guestToken(): Promise<string> {
  const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
  const { body } = await new Visitor(app).send('GET', `/api/join/${link.url.split('/').at(-1)}`);
  return (body as { meetingToken: string }).meetingToken;
}
const stored = () => ada.call(readCall, { params: { id: started.call.id } });
const item = (n = 0) => `${started.playbook.checklistItems[n]?.id}`;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
/** Simulates the notes on a page: types, and applies incoming updates. */
function page(client?: Entered) {
  const doc = new Y.Doc();
  const text = doc.getText('notes');
  let taken = 0;
  return {
    doc,
    type(what: string, at = text.length): string {
      const before = Y.encodeStateVector(doc);
      text.insert(at, what);
      return base64(Y.encodeStateAsUpdate(doc, before));
    },
    text(): string {
      for (const { update } of client?.all('note').slice(taken) ?? []) {
        Y.applyUpdate(doc, Buffer.from(update, 'base64'));
        taken += 1;
      }
      return text.toString();
    },
  };
}

test('a tick is stored before it is acknowledged, and reaches the other panel immediately', async () => {
  const [mine, theirs] = [await panelOf(), await panelOf(await newMember(app, ada, 'AGENT'))];
  mine.send({ type: 'check', id: 'edit-1', itemId: item(), checked: true });
  const { savedAt } = await mine.until('saved', ({ id }) => id === 'edit-1');
  expect((await stored()).checklistStateJson[item() as never]).toBe(true);
  expect(Date.parse(savedAt)).toBeLessThanOrEqual(Date.now());
  expect(await theirs.until('checked')).toMatchObject({ itemId: item(), checked: true });
  await mine.settled();
  expect(mine.all('checked')).toEqual([]);
});

test('an edit is not acknowledged before its commit', async () => {
  const mine = await panelOf();
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [started.call.id]);
  await app.owner.query('update call_checklist_items set text = text where call_id = $1', [
    started.call.id,
  ]);
  mine.send({ type: 'check', id: 'tick', itemId: item(), checked: true });
  mine.send({ type: 'note', id: 'note', update: page().type('words') });
  await expect
    .poll(async () => {
      const { rows } = await app.owner.query('select 1 from pg_locks where not granted');
      return rows.length;
    })
    .toBeGreaterThan(0);
  expect(mine.all('saved')).toEqual([]);
  await app.owner.query('commit');
  await mine.until('saved', ({ id }) => id === 'note');
  expect(mine.all('saved').map(({ id }) => id)).toEqual(['tick', 'note']);
});

test('concurrent edits of the notes merge, and both pages show the same text', async () => {
  const [mine, theirs] = [await panelOf(), await panelOf()];
  const [a, b] = [page(mine), page(theirs)];
  for (let n = 0; n < 20; n += 1) {
    mine.send({ type: 'note', id: `a${n}`, update: a.type(`a${n} `) });
    theirs.send({ type: 'note', id: `b${n}`, update: b.type(`b${n} `) });
  }
  await mine.until('saved', ({ id }) => id === 'a19');
  await theirs.until('saved', ({ id }) => id === 'b19');
  await Promise.all([mine.settled(), theirs.settled()]);
  expect(a.text()).toBe(b.text());
  expect((await stored()).notesSnapshot).toBe(a.text());
  for (let n = 0; n < 20; n += 1) {
    expect(a.text()).toContain(`a${n} `);
    expect(a.text()).toContain(`b${n} `);
  }
});

test('an edit received twice changes nothing the second time, and is acknowledged again', async () => {
  const [mine, theirs] = [await panelOf(), await panelOf()];
  const update = page().type('once');
  for (const id of ['first', 'again']) {
    mine.send({ type: 'note', id, update });
    mine.send({ type: 'check', id: `${id}-tick`, itemId: item(), checked: true });
    await mine.until('saved', (saved) => saved.id === `${id}-tick`);
  }
  expect((await stored()).notesSnapshot).toBe('once');
  await theirs.settled();
  expect(theirs.all('note')).toHaveLength(2); // the initial state, and the edit
});

test('an edit that builds on a missing one is kept until that arrives, even across a restart', async () => {
  const mine = await panelOf();
  const writing = page();
  const [first, second] = [writing.type('first '), writing.type('second')];
  mine.send({ type: 'note', id: 'second', update: second });
  await mine.until('saved', ({ id }) => id === 'second');
  app.services.notes.delete(started.call.id); // clears everything that a restart loses
  mine.send({ type: 'note', id: 'first', update: first });
  await mine.until('saved', ({ id }) => id === 'first');
  expect((await stored()).notesSnapshot).toBe('first second');
});

test('notes of a PUT reach the panels as a minimal difference, and so do ticks', async () => {
  const panel = await panelOf();
  const writing = page(panel);
  panel.send({ type: 'note', id: 'n', update: writing.type('Hello world') });
  await panel.until('saved');
  const body = { notesSnapshot: 'Hello brave world', checklistStateJson: { [item(1)]: true } };
  await ada.call(updateCall, { params: { id: started.call.id }, body });
  await panel.until('checklist', ({ items }) => items.length === 1 && items[0]?.itemId === item(1));
  const mark = writing.doc.getText('notes');
  const relative = Y.createRelativePositionFromTypeIndex(mark, 'Hello world'.length);
  expect(writing.text()).toBe('Hello brave world');
  // A caret behind "world" is still valid, because the text around the change was not replaced.
  const caret = Y.createAbsolutePositionFromRelativePosition(relative, writing.doc);
  expect(caret?.index).toBe('Hello brave world'.length);
});

test('a panel that joins later receives the ticks and the notes', async () => {
  const first = await panelOf();
  first.send({ type: 'check', id: 'c', itemId: item(1), checked: true });
  first.send({ type: 'note', id: 'n', update: page().type('so far') });
  await first.until('saved', ({ id }) => id === 'n');
  const late = await panelOf();
  expect((await late.until('checklist')).items).toEqual([
    { itemId: item(0), checked: false },
    { itemId: item(1), checked: true },
  ]);
  expect(page(late).text()).toBe('so far');
});

test('a page requests its missing updates, and learns which ones the server lacks', async () => {
  const first = await panelOf();
  const writing = page();
  first.send({ type: 'note', id: 'n', update: writing.type('known ') });
  await first.until('saved');
  const ahead = writing.type('unsent');
  const back = await panelOf();
  const vector = base64(Y.encodeStateVector(writing.doc));
  back.send({ type: 'notes-since', vector });
  const answer = await back.until('note', (note) => note !== back.all('note')[0]);
  const missing = Y.encodeStateAsUpdate(writing.doc, Buffer.from(`${answer.vector}`, 'base64'));
  expect(base64(missing)).toBe(ahead);
  back.send({ type: 'note', id: 'm', update: base64(missing) });
  await back.until('saved');
  expect((await stored()).notesSnapshot).toBe('known unsent');
});

test.each([
  ['no Yjs update', Buffer.from('nothing like it').toString('base64'), 'bad_note'],
  ['nothing', '', 'bad_note'],
  ['a NUL', page().type('a\0b'), 'nul_character'],
  ['too much', page().type('x'.repeat(262_200)), 'notes_update_too_large'],
])(
  'notes that are %s are refused with an error message and change nothing',
  async (_, update, code) => {
    const mine = await panelOf();
    mine.send({ type: 'note', id: 'good', update: page().type('good') });
    mine.send({ type: 'note', id: 'bad', update });
    expect(await mine.until('refused')).toMatchObject({
      id: 'bad',
      code,
      message: expect.any(String),
    });
    expect((await stored()).notesSnapshot).toBe('good');
    mine.send({ type: 'note', id: 'more', update: page().type('more') });
    await mine.until('saved', ({ id }) => id === 'more');
    expect((await stored()).notesSnapshot).toHaveLength('goodmore'.length);
  },
);

test('an invalid state vector is refused, and the socket stays open', async () => {
  const mine = await panelOf();
  mine.send({ type: 'note', id: 'n', update: page().type('some') });
  mine.send({ type: 'notes-since', vector: 'bm9uZSBvZiB0aGF0' });
  expect(await mine.until('refused')).toMatchObject({ code: 'bad_note' });
  await mine.settled();
});

test('notes of 1.2 million characters are stored completely', async () => {
  const mine = await panelOf();
  const { type } = page();
  for (let n = 1; n <= 6; n += 1) {
    mine.send({ type: 'note', id: `${n}`, update: type('x'.repeat(200_000)) });
  }
  await mine.until('saved', ({ id }) => id === '6');
  expect((await stored()).notesSnapshot).toBe('x'.repeat(1_200_000));
});

test('an item that is not on the checklist is refused, of any organization', async () => {
  const eve = await newOrganization(app);
  const foreign = `${(await runningCall(eve)).playbook.checklistItems[0]?.id}`;
  const mine = await panelOf();
  for (const itemId of [foreign, '01900000-0000-7000-8000-000000000000', 'no id', '']) {
    mine.send({ type: 'check', id: itemId, itemId, checked: true });
    expect(await mine.until('refused', ({ id }) => id === itemId)).toMatchObject({
      code: 'unknown_item',
    });
  }
});

test('a viewer receives ticks and notes, and cannot change them', async () => {
  const agent = await panelOf();
  const viewer = await panelOf(await newMember(app, ada, 'VIEWER'));
  expect(viewer.welcome.mayEdit).toBe(false);
  viewer.send({ type: 'check', id: 'c', itemId: item(), checked: true });
  viewer.send({ type: 'note', id: 'n', update: page().type('viewed') });
  for (const id of ['c', 'n']) {
    const refusal = await viewer.until('refused', (refused) => refused.id === id);
    expect(refusal).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('Your role doesn’t allow this.'),
    });
  }
  agent.send({ type: 'note', id: 'n', update: page().type('told') });
  await agent.until('saved');
  await viewer.settled();
  expect(page(viewer).text()).toBe('told');
  expect((await stored()).notesSnapshot).toBe('told');
});

test('a guest receives nothing of the checklist and the notes, and cannot change them', async () => {
  const guest = await enter(url, await guestToken());
  expect(guest.welcome.mayEdit).toBe(false);
  const agent = await panelOf();
  guest.send({ type: 'check', id: 'c', itemId: item(), checked: true });
  guest.send({ type: 'note', id: 'n', update: page().type('from outside') });
  guest.send({ type: 'notes-since', vector: base64(Y.encodeStateVector(new Y.Doc())) });
  for (const id of ['c', 'n']) await guest.until('refused', (refused) => refused.id === id);
  agent.send({ type: 'note', id: 'n', update: page().type('about the customer') });
  agent.send({ type: 'check', id: 'c', itemId: item(), checked: true });
  await agent.until('saved', ({ id }) => id === 'c');
  await guest.settled();
  for (const type of ['note', 'checked', 'checklist'] as const) expect(guest.all(type)).toEqual([]);
  expect(await refusedHello(url, { token: await guestToken(), channel: 'panel' })).toBe(
    closeCodes.tokenRefused,
  );
});

test('without a running call an edit is refused', async () => {
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  const panel = await panelOf();
  panel.send({ type: 'check', id: 'c', itemId: item(), checked: true });
  expect(await panel.until('refused')).toMatchObject({ id: 'c', code: 'no_call' });
});

test('an edit that cannot be stored is not acknowledged, and can be sent again', async () => {
  const mine = await panelOf();
  const update = page().type('kept');
  await app.owner.query('alter table call_note_updates rename to away');
  try {
    mine.send({ type: 'note', id: 'n', update });
    expect(await mine.until('refused')).toMatchObject({ id: 'n', code: 'not_saved' });
  } finally {
    await app.owner.query('alter table away rename to call_note_updates');
  }
  // The notes are read meanwhile: the copy in memory must not count the edit as stored.
  await panelOf();
  mine.send({ type: 'note', id: 'again', update });
  await mine.until('saved', ({ id }) => id === 'again');
  app.services.notes.delete(started.call.id);
  const reader = await panelOf();
  expect(page(reader).text()).toBe('kept');
});

test('an edit whose commit fails does not count as stored', async () => {
  const mine = await panelOf();
  const update = page().type('kept');
  await app.owner.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
     create constraint trigger late after insert on call_note_updates
       deferrable initially deferred for each row execute function fail()`,
  );
  try {
    mine.send({ type: 'note', id: 'n', update });
    expect(await mine.until('refused')).toMatchObject({ id: 'n', code: 'not_saved' });
  } finally {
    await app.owner.query('drop trigger late on call_note_updates; drop function fail()');
  }
  mine.send({ type: 'note', id: 'again', update });
  await mine.until('saved', ({ id }) => id === 'again');
  expect((await stored()).notesSnapshot).toBe('kept');
});

test('a flood waits in the sender’s network, not in the server’s memory, and is cut off in the end', async () => {
  const flooding = await panelOf();
  const calm = await panelOf(await newMember(app, ada, 'VIEWER'));
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [started.call.id]);
  flooding.send({ type: 'note', id: 'first', update: page().type('stuck') });
  for (let n = 0; n < 200; n += 1) {
    flooding.send({ type: 'note', id: `${n}`, update: 'x'.repeat(190_000) });
  }
  const waiting: number[] = [];
  const standsStill = async () => {
    await calm.settled();
    waiting.push(flooding.socket.bufferedAmount);
    return waiting.length > 5 && waiting.at(-1) === waiting.at(-5);
  };
  try {
    await expect.poll(standsStill, { timeout: 10_000 }).toBe(true);
    expect(waiting.at(-1)).toBeGreaterThan(25_000_000);
  } finally {
    await app.owner.query('commit');
  }
  await flooding.until('saved');
  expect(await flooding.closed).toBe(closeCodes.flooding);
});

test('a page that does not read is disconnected, and the others continue', async () => {
  const deaf = await panelOf();
  const writer = await panelOf();
  const { type } = page();
  for (let n = 1; n <= 5; n += 1) {
    writer.send({ type: 'note', id: `${n}`, update: type('x'.repeat(200_000)) });
  }
  await writer.until('saved', ({ id }) => id === '5');
  deaf.socket.pause();
  for (let n = 0; n < 40; n += 1) deaf.send({ type: 'notes-since', vector: 'AA==' });
  const { participant } = await writer.until(
    'changed',
    (changed) => !changed.participant.connected,
  );
  expect(participant.id).toBe(deaf.id);
  await writer.settled();
  deaf.socket.terminate();
});

test('messages of one socket are handled in order', async () => {
  const mine = await panelOf();
  for (let n = 0; n < 200; n += 1) {
    mine.send({ type: 'check', id: `${n}`, itemId: item(), checked: n % 2 === 0 });
  }
  await mine.until('saved', ({ id }) => id === '199');
  expect(mine.all('saved').map(({ id }) => Number(id))).toEqual([...Array(200).keys()]);
  expect((await stored()).checklistStateJson[item() as never]).toBe(false);
});

test('a stopping server closes its sockets with the restart code', async () => {
  const second = await openTestApp();
  const address = await second.listen();
  const bea = await newOrganization(second);
  const { room } = await runningCall(bea);
  const client: LiveClient = await enterPanel(address, room.meetingToken);
  await second.close();
  expect(await client.closed).toBe(1012);
});
