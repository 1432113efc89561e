import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { costlyNotes } from '../../server/testing/costly-notes.ts';
import { LiveSocket } from './live-socket.ts';

export interface Attacker {
  url: string;
  cookie: string;
  orgId: string;
  callId: string;
  panelToken: string;
}

/** Each loop repeats its request this long after the last answer. */
const pauseMs = 10;
const unfinishedSockets = 40;

const { stored, costly } = costlyNotes(8000, 14_000);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Valid notes after which the next update reaches its time limit. */
export const preparedNotes = { notesUpdate: base64(stored) };

/** Uses the renderer's whole time limit: noise of many octaves, repeated. */
const slowSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="200"/></filter>${'<rect width="2000" height="2000" filter="url(#f)"/>'.repeat(200)}</svg>`;

/**
 * Sends the worst requests that the limits allow one client, from a separate thread, so that the
 * cost of sending is not measured. @returns the number of requests
 */
export async function attackFor(attacker: Attacker, seconds: number): Promise<number> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { attacker, seconds } });
  const [count] = await once(thread, 'message');
  await thread.terminate();
  return Number(count);
}

async function attack(attacker: Attacker, signal: AbortSignal): Promise<number> {
  const { url, cookie, callId, orgId } = attacker;
  const call = `${url}/api/calls/${callId}`;
  const json = { 'content-type': 'application/json', cookie };
  const send = (address: string, init: RequestInit) =>
    fetch(address, { ...init, signal }).then((answer) => answer.arrayBuffer());
  const put = (body: string) => () => send(call, { method: 'PUT', headers: json, body });
  const post = (path: string, body: string) => () =>
    send(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': json['content-type'] },
      body,
    });
  const logo = () => {
    const form = new FormData();
    form.set('file', new Blob([slowSvg], { type: 'image/svg+xml' }), 'logo.svg');
    const address = `${url}/api/organizations/${orgId}/logo`;
    return send(address, { method: 'POST', headers: { cookie }, body: form });
  };
  const requests = [
    put('['.repeat(1_890_000)),
    put(`{"checklistStateJson":{${'"a":0,'.repeat(9_000)}"b":0}}`),
    put(JSON.stringify({ notesUpdate: base64(costly) })),
    put(JSON.stringify({ notesSnapshot: '"\n'.repeat(400_000) })),
    post('/api/login', `{"email":"x@example.com","password":"${'x'.repeat(16_000)}"}`),
    post('/api/register', '['.repeat(16_000)),
    logo,
  ];
  const counts = await Promise.all([
    ...requests.map((request) => again(request, signal)),
    writeCostly(attacker, signal),
    leaveUnfinished(url, signal),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function again(request: () => Promise<unknown>, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    await request().catch(() => undefined);
    count += 1;
    await sleep(pauseMs);
  }
  return count;
}

async function writeCostly({ url, panelToken }: Attacker, signal: AbortSignal): Promise<number> {
  const panel = await LiveSocket.open(url, { channel: 'panel', token: panelToken });
  const update = base64(costly);
  const count = await again(async () => {
    const answered = panel.next(({ type }) => type === 'refused' || type === 'saved');
    panel.send({ type: 'note', id: 'costly', update });
    await answered;
  }, signal);
  panel.close();
  return count;
}

/** Opens sockets that send the head of a long message, and as much of it as the server accepts. */
async function leaveUnfinished(url: string, signal: AbortSignal): Promise<number> {
  const { hostname, port } = new URL(url);
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(300_000n, 2);
  const upgrade = `GET /ws HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;
  const one = () =>
    again(
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname);
          const end = () => socket.destroy();
          socket.on('error', () => undefined);
          socket.once('close', () => {
            signal.removeEventListener('abort', end);
            resolve();
          });
          signal.addEventListener('abort', end);
          socket.write(upgrade);
          socket.once('data', () => socket.write(Buffer.concat([head, Buffer.alloc(31_000)])));
        }),
      signal,
    );
  const counts = await Promise.all(Array.from({ length: unfinishedSockets }, one));
  return counts.reduce((sum, count) => sum + count, 0);
}

if (!isMainThread && workerData?.attacker) {
  const { attacker, seconds } = workerData;
  parentPort?.postMessage(await attack(attacker, AbortSignal.timeout(seconds * 1000)));
}
