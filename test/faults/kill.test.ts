import { afterAll, expect, test } from 'vitest';
import * as Y from 'yjs';
import { inFullRun } from '#server/testing/full-run.ts';
import { type Entered, enterPanel } from '#server/testing/live-client.ts';
import { ok, type Person, person, runningCall, type StoredCall } from './person.ts';
import { cleanUp, killHard, newDataDir, postgresIn, run } from './run-program.ts';

afterAll(cleanUp);

const rounds = inFullRun(20, 4);

/** Everything that the server has acknowledged: all of it must be there after the next start. */
const acknowledged = { notes: [] as string[], ticks: [] as string[], puts: 0 };

/** Writes notes and ticks over the socket until it is closed. */
function writeBySocket(panel: Entered, round: number, items: string[], onSaved: () => void): void {
  const doc = new Y.Doc();
  const text = doc.getText('notes');
  const meant = new Map<string, () => void>();
  let n = 0;
  const write = () => {
    n += 1;
    const word = `<${round}.${n}>`;
    const before = Y.encodeStateVector(doc);
    text.insert(text.length, word);
    const update = Buffer.from(Y.encodeStateAsUpdate(doc, before)).toString('base64');
    meant.set(`note-${n}`, () => acknowledged.notes.push(word));
    panel.send({ type: 'note', id: `note-${n}`, update });
    const itemId = items[n - 1];
    if (itemId === undefined) return;
    meant.set(`tick-${n}`, () => acknowledged.ticks.push(itemId));
    panel.send({ type: 'check', id: `tick-${n}`, itemId, checked: true });
  };
  panel.socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { type: string; id: string };
    if (message.type !== 'saved') return;
    meant.get(message.id)?.();
    if (message.id.startsWith('note')) write();
    onSaved();
  });
  for (let ahead = 0; ahead < 3; ahead += 1) write();
}

/** Sends notes and a score in one request, repeatedly, until the server is gone. */
async function writeByRequest({ send }: Person, id: string): Promise<void> {
  for (;;) {
    const n = acknowledged.puts + 1;
    const sent = send('PUT', `/api/calls/${id}`, { notesSnapshot: `${n}`, npsScore: n % 11 });
    const { status } = await sent.catch(() => ({ status: 0 }));
    if (status !== 200) return;
    acknowledged.puts = n;
  }
}

test('after kills during writes, every note, tick and score that was acknowledged is there', async () => {
  const dataDir = newDataDir();
  let program = await run(dataDir);
  await program.ready();
  const ada = await person(program.url);
  const live = await runningCall(ada, 200);
  const plain = await runningCall(ada, 1);
  const perRound = live.items.length / rounds;

  for (let round = 0; round < rounds; round += 1) {
    const { send } = Object.assign(ada, await person(program.url));
    const { meetingToken } = await ok<{ meetingToken: string }>(
      send('GET', `/api/rooms/${live.roomId}`),
    );
    const panel = await enterPanel(program.url.replace('http', 'ws'), meetingToken);
    const items = live.items.slice(round * perRound, (round + 1) * perRound);
    const enough = 5 + ((round * 7) % 23);
    let saved = 0;
    await new Promise<void>((resolve) => {
      writeBySocket(panel, round, items, () => {
        saved += 1;
        if (saved === enough) resolve();
      });
      writeByRequest(ada, plain.id);
    });
    // Alternates between the server alone, whose PostgreSQL survives, and both, like a power
    // failure.
    await killHard(program, dataDir, round % 2 === 0);
    await panel.closed;

    program = await run(dataDir);
    await program.ready();
    const after = await person(program.url);
    const stored = await ok<StoredCall>(after.send('GET', `/api/calls/${live.id}`));
    const lost = acknowledged.notes.filter((word) => !stored.notesSnapshot?.includes(word));
    expect(lost, `notes lost in round ${round}`).toEqual([]);
    const unticked = acknowledged.ticks.filter((item) => !stored.checklistStateJson[item]);
    expect(unticked, `ticks lost in round ${round}`).toEqual([]);
    const put = await ok<StoredCall>(after.send('GET', `/api/calls/${plain.id}`));
    const n = Number(put.notesSnapshot);
    // The request in flight may have been stored; its notes and its score together, or neither.
    expect([acknowledged.puts, acknowledged.puts + 1]).toContain(n);
    expect(put.npsScore).toBe(n === 0 ? null : n % 11);
    acknowledged.puts = n;
  }
  expect(acknowledged.notes.length).toBeGreaterThan(rounds * 3);
  expect(acknowledged.ticks.length).toBeGreaterThan(rounds * 2);
  expect(acknowledged.puts).toBeGreaterThan(rounds);
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(postgresIn(dataDir)).toEqual([]);
});
