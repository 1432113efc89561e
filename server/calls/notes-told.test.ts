import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import { type Entered, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { staffTokenOf } from '#server/testing/waiting-guest.ts';
import { NotesTurns } from './notes-turns.ts';

const megabyte = 1024 * 1024;

describe('an edit costs what panels are told', () => {
  let turns: NotesTurns;
  let told: string[];
  beforeEach(() => {
    vi.useFakeTimers();
    turns = new NotesTurns();
    told = [];
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const tenantOf = (accountId: string) => ({
    orgId: 'org',
    actor: { kind: 'user', userId: accountId, accountId },
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  /** Tells a hundred panels of an edit. @param tells how much of it is new */
  function edit(account: string, length: number, { panels = 100, tells = length } = {}) {
    const refusals: unknown[] = [];
    turns
      .tell(tenantOf(account) as never, { length, panels }, async (noteTold) => {
        told.push(account);
        noteTold(tells);
      })
      .catch((error: unknown) => refusals.push(error));
    return refusals;
  }

  test('R26-B3: long edits are told at the rate of notes for panels', async () => {
    // 25 MB each: once, and again when the rest of it is paid.
    edit('ada', megabyte / 4);
    edit('bea', megabyte / 4);
    await pass(4_000);
    expect(told).toEqual(['ada']);
    await pass(3_000);
    expect(told).toEqual(['ada', 'bea']);
  });

  test('R26-B3: no edit delays the next one for longer than pages wait', async () => {
    edit('ada', megabyte, { panels: 200 });
    const refusals = edit('bea', megabyte, { panels: 200 });
    await pass(14_000);
    expect(told).toEqual(['ada', 'bea']);
    expect(refusals).toEqual([]);
  });

  test('R26-B3: what people type is told at once meanwhile', async () => {
    edit('ada', megabyte / 4);
    for (let n = 0; n < 20; n += 1) edit('typing', 200, { panels: 20 });
    await pass(0);
    expect(told.filter((account) => account === 'typing')).toHaveLength(20);
  });

  test('R26-B3: an edit that panels have already, or that fails, costs nothing', async () => {
    for (let n = 0; n < 20; n += 1) {
      edit('ada', megabyte / 4, { tells: 0 });
      await pass(0);
    }
    expect(told).toHaveLength(20);
  });

  test('R26-B3: an edit that waits for too long is refused, as is one more than ten', async () => {
    const patience = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    edit('ada', megabyte);
    await pass(0);
    const refused = Array.from({ length: 11 }, () => edit('ada', megabyte));
    await pass(0);
    expect(refused.map(({ length }) => length)).toEqual([...Array(10).fill(0), 1]);
    patience.abort();
    await pass(0);
    expect(refused.flat()).toHaveLength(11);
    expect(refused.flat()[0]).toMatchObject({ code: 'too_many_waiting' });
    expect(told).toEqual(['ada']);
  });
});

/** A page's copy of the notes. */
function copyOf(panel?: Entered): Y.Doc {
  const doc = new Y.Doc();
  for (const { update } of panel?.all('note') ?? [])
    Y.applyUpdate(doc, Buffer.from(update, 'base64'));
  return doc;
}
function typed(doc: Y.Doc, what: string): string {
  const before = Y.encodeStateVector(doc);
  doc.getText('notes').insert(0, what);
  return Buffer.from(Y.encodeStateAsUpdate(doc, before)).toString('base64');
}

test('R26-B3: long edits wait until panels may be told, typed ones do not, and all have the same text', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.1' });
  try {
    const url = await app.listen();
    const ada = await newOrganization(app);
    const { room, call } = await runningCall(ada);
    const panels: Entered[] = [];
    for (let n = 0; n < 6; n += 1) {
      const panel = await enterPanel(url, await staffTokenOf(ada, room.id));
      await panel.until('note');
      panels.push(panel);
    }
    const [author, colleague] = panels as [Entered, Entered];
    const long = copyOf();
    author.send({ type: 'note', id: 'long', update: typed(long, 'a'.repeat(170_000)) });
    await author.until('saved');
    author.send({ type: 'note', id: 'next', update: typed(long, 'b'.repeat(170_000)) });
    const short = copyOf();
    for (const id of ['one ', 'two ', 'three ']) {
      colleague.send({ type: 'note', id, update: typed(short, id) });
      await colleague.until('saved', (saved) => saved.id === id);
    }
    expect(author.all('saved').map(({ id }) => id)).toEqual(['long']);
    await author.until('saved', ({ id }) => id === 'next');
    const params = { id: call.id };
    await ada.call(updateCall, { params, body: { notesSnapshot: 'Of a request.' } });
    const { notesSnapshot } = await ada.call(readCall, { params });
    expect(notesSnapshot).toBe('Of a request.');
    for (const panel of panels) {
      await panel.settled();
      // A page has its own edits, too.
      const doc = copyOf(panel);
      const own = new Map([
        [author, long],
        [colleague, short],
      ]).get(panel);
      if (own) Y.applyUpdate(doc, Y.encodeStateAsUpdate(own));
      expect(doc.getText('notes').toString()).toBe(notesSnapshot);
    }
  } finally {
    await app.close();
  }
});
