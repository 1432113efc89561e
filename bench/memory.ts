import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as Y from 'yjs';
import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { LiveSocket } from './support/live-socket.ts';
import {
  held,
  postgresProcesses,
  type ServerMemory,
  serverMemory,
} from './support/process-memory.ts';

const restSeconds = 8;
/** As many calls are held and left before, so that only calls are measured, without one-time costs. */
const calls = 200;
const notes = 'The customer wants a pilot with two sites before the next quarter. '.repeat(40);
const mostAtRestMB = 350;
const mostPerCallKB = 200;

/** Measures the server at rest on its embedded database, and what a call of two adds. */
export async function memory(): Promise<Measured[]> {
  const probeFile = join(tmpdir(), `rapport-memory-${process.pid}.json`);
  const program = await startProgram({
    BENCH_PROBE: probeFile,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'support/memory-probe.mjs')}`,
  });
  try {
    await sleep(restSeconds * 1000);
    const resting = atRest(program);
    const prepared = await prepareRoom(program.url, 'Memory');
    const warmUp = await holdCalls(program, prepared);
    await settled(program, probeFile, warmUp);
    for (const socket of warmUp) socket.leave();
    const before = await settled(program, probeFile, []);
    const open = await holdCalls(program, prepared);
    const after = await settled(program, probeFile, open);
    for (const socket of open) socket.leave();
    return [...resting, ...perCall(before, after)];
  } finally {
    await discard(program);
    rmSync(probeFile, { force: true });
  }
}

function atRest(program: Program): Measured[] {
  const node = held(program.process.pid ?? 0) / 2 ** 20;
  const processes = postgresProcesses(program.dataDir);
  const postgres = processes.reduce((sum, pid) => sum + held(pid), 0) / 2 ** 20;
  const note = `server ${node.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)} in ${processes.length} processes`;
  return [
    plain('memory: server and its database at rest', 'MB', node + postgres, mostAtRestMB, note),
  ];
}

async function holdCalls(program: Program, prepared: Prepared): Promise<LiveSocket[]> {
  const open: LiveSocket[] = [];
  for (let count = 0; count < calls; count += 1) open.push(...(await holdCall(program, prepared)));
  return open;
}

/** Holds one call as the pages do: an agent's meeting and panel with notes and a tick, and a guest. */
async function holdCall({ url }: Program, { user, items }: Prepared): Promise<LiveSocket[]> {
  const [item] = items;
  const { id: playbookId } = (await user.send<{ id: string }[]>('GET', '/api/playbooks'))[0] ?? {};
  const room = await user.send<{ id: string }>('POST', '/api/rooms', {
    topic: 'Memory',
    playbookId,
  });
  const staff = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${room.id}`);
  const link = await user.send<{ url: string }>('GET', `/api/rooms/${room.id}/guest-link`);
  const token = new URL(link.url).pathname.split('/').at(-1);
  const guest = await user.send<{ meetingToken: string }>('GET', `/api/join/${token}`);
  await user.send('POST', '/api/calls', { roomId: room.id });
  const media = { audio: true, video: true };
  const meeting = await LiveSocket.open(url, {
    channel: 'meeting',
    token: staff.meetingToken,
    media,
  });
  const panel = await LiveSocket.open(url, { channel: 'panel', token: staff.meetingToken });
  const customer = await LiveSocket.open(url, {
    channel: 'meeting',
    token: guest.meetingToken,
    name: 'Grace',
    media,
  });
  await write(panel);
  if (item) await saved(panel, { type: 'check', id: 'tick', itemId: item.id, checked: true });
  return [meeting, panel, customer];
}

/** Writes notes sentence by sentence, as a person does. */
async function write(panel: LiveSocket): Promise<void> {
  const doc = new Y.Doc();
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  const sentences = notes.split(/(?<=\. )/);
  for (const sentence of sentences.slice(0, 20)) {
    doc.getText('notes').insert(doc.getText('notes').length, sentence);
  }
  for (const [index, update] of updates.entries()) {
    const base64 = Buffer.from(update).toString('base64');
    await saved(panel, { type: 'note', id: `note ${index}`, update: base64 });
  }
}

async function saved(panel: LiveSocket, edit: Parameters<LiveSocket['send']>[0] & { id: string }) {
  const answered = panel.next((message) => 'id' in message && message.id === edit.id);
  panel.send(edit);
  const answer = await answered;
  if (answer.type !== 'saved') throw new Error(`an edit was not saved: ${JSON.stringify(answer)}`);
}

/**
 * Waits for a heartbeat of each page, after which the server drops the messages that the page has
 * received.
 */
async function settled(program: Program, probeFile: string, open: readonly LiveSocket[]) {
  for (const socket of open) socket.ping();
  await sleep(3000);
  await serverMemory(program, probeFile);
  await sleep(500);
  return serverMemory(program, probeFile);
}

function perCall(before: ServerMemory, after: ServerMemory): Measured[] {
  const added = (kind: keyof ServerMemory) => (after[kind] - before[kind]) / calls / 1000;
  const note = `${calls} calls: agent’s meeting and panel, guest, 20 edits of the notes`;
  return [
    plain('memory: a call adds, live objects', 'KB', added('live'), mostPerCallKB, note),
    plain(
      'memory: a call adds, to the process',
      'KB',
      added('held'),
      mostPerCallKB,
      `from ${mb(before.held)} to ${mb(after.held)} MB`,
    ),
  ];
}

const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
