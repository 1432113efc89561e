import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { wait } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { worstFor } from './measure.ts';
import type { Person } from './person.ts';
import { bothOn, enterAsHost, open, runningRoom, staffToken } from './rooms.ts';
import type { Scene } from './scene.ts';

// Of the twentieth review: what has a bound in bytes, and none in the pieces that these bytes come in.

const chunkOf = (character: string) => `1\r\n${character}\r\n`;

/** Sends a body in chunks of one byte. @returns the status of the answer; null if the connection was closed without one */
function sendInBytes(scene: Scene, from: string, body: string): Promise<string | null> {
  const { host, port } = new URL(scene.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [
    'POST /api/rooms HTTP/1.1',
    `Host: ${host}`,
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(`${[...body].map(chunkOf).join('')}0\r\n\r\n`);
  return new Promise((resolve) => {
    socket.once('data', (answer) => {
      resolve(String(answer).slice(9, 12));
      socket.destroy();
    });
    socket.once('close', () => resolve(null));
  });
}

const bodiesInBytes: Finding = {
  id: 'R20-53 (bodies in chunks of one byte)',
  when: 'alone',
  async attack(scene) {
    const victim = await scene.admin();
    const visitors = Array.from({ length: 10 }, () => scene.visitor());
    const body = `{"topic":"${'x'.repeat(15_900)}"}`;
    const quiet = await worstFor(victim, () => wait(3_000));
    const { worst } = await worstFor(victim, async () => {
      for (let round = 0; round < 4; round += 1)
        await Promise.all(
          visitors.flatMap(({ address }) => [1, 2, 3].map(() => sendInBytes(scene, address, body))),
        );
    });
    const seen = `beside 120 bodies of 16 KB in chunks of one byte, without an account, others wait ${worst} ms at most (quiet: ${quiet.worst} ms)`;
    hold(worst < quiet.worst + 500, seen);
    return seen;
  },
};

/** Opens a socket that says no hello, and sends control frames. @returns whether it is still open afterward */
async function staysOpen(scene: Scene, path: string, frames: number): Promise<boolean> {
  const headers = { 'x-forwarded-for': scene.visitor().address };
  const socket = new WebSocket(`${scene.live}${path}`, { headers });
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  prepared(opened, `${path} was not upgraded`);
  for (let sent = 0; sent < frames; sent += 1) socket.pong();
  await wait(1_000);
  const isOpen = socket.readyState === socket.OPEN;
  socket.terminate();
  return isOpen;
}

const framesBeforeHello: Finding = {
  id: 'R20-52 (control frames before hello)',
  async attack(scene) {
    const paths = ['/ws', '/ws/speech'];
    const open: string[] = [];
    for (const path of paths) if (await staysOpen(scene, path, 1_500)) open.push(path);
    hold(
      open.length === 0,
      `1,500 control frames before a hello do not close a socket of ${open.join(' and ')}`,
    );
    return `1,500 control frames before a hello close a socket of ${paths.join(' and ')}`;
  },
};

/** The speech socket of a person who is in a call, whose transcript runs, and who has agreed. */
async function speaking(scene: Scene, boss: Person) {
  await boss.call('PUT', '/api/capture-settings', { recording: 'ask', transcript: 'ask' });
  const room = await runningRoom(boss);
  const host = await enterAsHost(scene, boss, room.id);
  host.send({ type: 'capture', id: 'transcript', kind: 'transcript', running: true });
  await host.until('saved', ({ id }) => id === 'transcript');
  const token = await staffToken(boss, room.id);
  const page = await open(scene, boss.address, token, { media: bothOn });
  await page.until('welcome');
  page.send({
    type: 'consent',
    id: 'yes',
    asked: ['transcript'],
    agreed: ['transcript'],
    questionVersion: 1,
    language: 'en',
  });
  await page.until('saved');
  const socket = new WebSocket(`${scene.live}/ws/speech`, {
    headers: { 'x-forwarded-for': boss.address },
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1, token })));
  const isReady = await new Promise<boolean>((resolve) => {
    socket.once('message', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.on('error', () => resolve(false));
  });
  prepared(isReady, 'the socket of speech was not accepted');
  socket.send(JSON.stringify({ type: 'begin', ageMs: 0 }));
  return { socket, end: () => [host.socket, page.socket, socket].map((one) => one.terminate()) };
}

const emptySound: Finding = {
  id: 'R20-51 (messages of speech without sound)',
  async attack(scene) {
    const { socket, end } = await speaking(scene, await scene.admin());
    const nothing = Buffer.alloc(0);
    const count = 20_000;
    for (let sent = 0; sent < count; sent += 1) socket.send(nothing);
    await wait(3_000);
    const isOpen = socket.readyState === socket.OPEN;
    end();
    hold(!isOpen, `${count} binary messages of no byte were taken within three seconds`);
    return `a socket that sends ${count} binary messages of no byte is closed`;
  },
};

export const pieceFindings: Finding[] = [bodiesInBytes, framesBeforeHello, emptySound];
