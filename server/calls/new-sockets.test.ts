import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { enter, LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { NewSockets } from './new-sockets.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
afterAll(() => app.close());

/** Opens a raw socket at `path`, upgraded to a WebSocket. */
async function rawSocket(path: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const upgrade = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, 'Connection: Upgrade'];
  upgrade.push('Upgrade: websocket', 'Sec-WebSocket-Version: 13');
  upgrade.push(`Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`);
  socket.write(`${upgrade.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

/** Opens a raw socket that sends the head of one message, and less of it than announced. */
async function unfinished(announced: number, sent: number) {
  const socket = await rawSocket('/ws');
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(BigInt(announced), 2);
  socket.write(Buffer.concat([head, Buffer.alloc(sent)]));
  return socket;
}

/** Sends as many pings as 32 KB hold, in one piece. @returns the bytes of what was answered until the end */
async function floodWithPings(path: string) {
  const socket = await rawSocket(path);
  let answered = 0;
  socket.on('data', (chunk) => {
    answered += chunk.length;
  });
  const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
  socket.write(Buffer.concat(Array.from({ length: 5_300 }, () => ping)));
  await once(socket, 'close');
  return answered;
}

test('R20-52: a socket that sends many frames before hello ends after a few of them', async () => {
  const bytesOfPong = 2;
  for (const path of ['/ws', '/ws/speech', '/ws/notices']) {
    expect(await floodWithPings(path), path).toBeLessThanOrEqual(100 * bytesOfPong);
  }
});

test('a socket that sends more than 32 KB before hello is closed, even within a message', async () => {
  const socket = await unfinished(300_000, 40_000);
  await once(socket, 'close');
  const patient = await unfinished(300_000, 20_000);
  // A shorter unfinished message is awaited, and discarded with the socket.
  expect(patient.closed).toBe(false);
  patient.destroy();
});

test('after hello a message of 300 KB is accepted', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  const { meetingToken } = await ada.call(openRoom, { params: { id: room.id } });
  const panel = await enter(url, meetingToken, { channel: 'panel' });
  panel.send({ type: 'note', id: 'long', update: 'A'.repeat(300_000) });
  await panel.until('saved', ({ id }) => id === 'long');
  await panel.settled();
});

test('one address has at most 100 sockets without hello, and gets 429 beyond', async () => {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => LiveClient.open(url)));
  const refused = new WebSocket(`${url}/ws`);
  refused.on('error', () => undefined);
  const [, response] = await once(refused, 'unexpected-response');
  expect(response.statusCode).toBe(429);
  await Promise.all(sockets.map((one) => one.drop()));
  await expect.poll(() => LiveClient.open(url).then(() => 'open')).toBe('open');
});

/** The parts of a socket that the class uses. */
function fakeSocket() {
  const closed: number[] = [];
  const socket = Object.assign(new EventEmitter(), {
    close: (code: number) => void closed.push(code),
    terminate: () => void closed.push(0),
  }) as unknown as WebSocket;
  const stream = Object.assign(new EventEmitter(), { isPaused: () => false });
  const connection = stream.on('data', () => undefined) as unknown as Parameters<
    NewSockets['watch']
  >[1];
  return { socket, connection, closed };
}

const tokenOf = (guestLinkId: string) =>
  `e30.${Buffer.from(JSON.stringify({ guestLinkId })).toString('base64url')}.x`;

test('a socket without hello is closed after 10 seconds', () => {
  vi.useFakeTimers();
  const { socket, connection, closed } = fakeSocket();
  new NewSockets().watch(socket, connection, '192.0.2.1');
  vi.advanceTimersByTime(9_999);
  expect(closed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(closed).toEqual([closeCodes.silent]);
  vi.useRealTimers();
});

test('at most 8 hellos of one address and link are checked concurrently, and others wait', async () => {
  const sockets = new NewSockets();
  const looked: string[] = [];
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const hello = (ip: string, link: string) => {
    const { socket, connection } = fakeSocket();
    return sockets.watch(socket, connection, ip).hello(tokenOf(link), () => {
      looked.push(`${ip} ${link}`);
      return done;
    });
  };
  const hellos = Array.from({ length: 10 }, () => hello('192.0.2.1', 'a'));
  hellos.push(hello('192.0.2.1', 'b'), hello('192.0.2.2', 'a'));
  await new Promise(setImmediate);
  expect(looked.filter((one) => one === '192.0.2.1 a')).toHaveLength(8);
  expect(looked.slice(8)).toEqual(['192.0.2.1 b', '192.0.2.2 a']);
  finish();
  await Promise.all(hellos);
  expect(looked).toHaveLength(12);
});

test('R27-B4: where new sockets together have sent much, each may send a hello, and no more', () => {
  const sockets = new NewSockets();
  const ended: string[] = [];
  const opened = (name: string) => {
    const { socket, connection } = fakeSocket();
    const watched = sockets.watch(socket, connection, '192.0.2.1');
    socket.terminate = () => void ended.push(name);
    return { ...watched, send: (bytes: number) => connection.emit('data', Buffer.alloc(bytes)) };
  };
  const early = Array.from({ length: 40 }, (_, n) => opened(`early ${n}`));
  for (const { send } of early) send(30_000);
  const atFirst = ended.length;
  expect(atFirst).toBeLessThan(10);
  opened('hello').send(4_000);
  expect(ended).toHaveLength(atFirst);
  opened('long').send(10_000);
  expect(ended.at(-1)).toBe('long');
  for (const { letIn } of early) letIn();
  opened('later').send(30_000);
  expect(ended.at(-1)).toBe('long');
});

test('waiting hellos delay no hello for another link', async () => {
  const sockets = new NewSockets();
  const held = Promise.withResolvers<void>();
  const hello = (link: string, look: () => Promise<void>) => {
    const { socket, connection } = fakeSocket();
    return sockets.watch(socket, connection, '192.0.2.1').hello(tokenOf(link), look);
  };
  const waiting = Array.from({ length: 90 }, (_, n) => hello(`link-${n % 15}`, () => held.promise));
  await hello('another', async () => undefined);
  held.resolve();
  await Promise.all(waiting);
});

test('R5-6: an upgrade on any other path is refused before it is made', async () => {
  for (const path of ['/healthz', '/', '/api/user']) {
    const refused = new WebSocket(`${url}${path}`);
    refused.on('error', () => undefined);
    const [, response] = await once(refused, 'unexpected-response');
    expect([path, response.statusCode]).toEqual([path, 404]);
  }
});

/** A request with an `Upgrade` header, as `curl --http2` sends it, or without. */
async function ask(cookie: string, [method, path, body = '']: string[], upgrade?: string) {
  const headers = {
    cookie,
    ...(upgrade ? { connection: 'Upgrade, HTTP2-Settings', upgrade } : {}),
    ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
  };
  const target = new URL(path ?? '', url.replace(/^ws/, 'http'));
  const [answer] = await once(request(target, { method, headers }).end(body), 'response');
  answer.resume();
  return answer.statusCode;
}

test('R6-12: a request for another protocol than WebSocket is answered as an ordinary one', async () => {
  const { cookie } = await newOrganization(app);
  for (const path of ['/healthz', '/', '/api/user', '/ws', '/%E0%A4%A']) {
    const plain = await ask(cookie, ['GET', path]);
    expect([path, await ask(cookie, ['GET', path], 'h2c')]).toEqual([path, plain]);
  }
  expect(await ask(cookie, ['GET', '/api/user'], 'h2c')).toBe(200);
  const create = ['POST', '/api/rooms', JSON.stringify({ topic: 'From curl --http2' })];
  expect(await ask(cookie, create, 'h2c')).toBe(201);
  expect(await ask(cookie, ['GET', '/api/user'], 'WebSocket')).toBe(404);
});
