import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { providerKeys } from '#server/testing/saml-keys.ts';
import { type Meter, MeteredSocket } from './metered-socket.ts';
import { safeFetchFor } from './safe-fetch.ts';

let server: Server | undefined;
afterEach(() => server?.close());

const long = 'x'.repeat(1_000_000);
/** Returns the port of a server with this many copies of a certificate. */
async function served(copies = 1): Promise<number> {
  const { key, certificate } = providerKeys;
  const opened = createServer({ key, cert: certificate.repeat(copies) }, (asked, answer) =>
    asked.pipe(answer),
  );
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return (opened.address() as AddressInfo).port;
}

/** Sends a long body, and returns it as the server sends it back. */
async function echoed(port: number, meter: Meter): Promise<string> {
  const createConnection = () => {
    const socket = new MeteredSocket(connectTcp(port, '127.0.0.1'), meter);
    const secure = connectTls({ socket, rejectUnauthorized: false });
    secure.once('secureConnect', () => socket.secured());
    return secure;
  };
  return new Promise((resolve, reject) => {
    const asked = request({ method: 'POST', host: '127.0.0.1', port, createConnection }, (answer) =>
      resolve(text(answer)),
    );
    asked.on('error', reject).end(long);
  });
}

test('a metered connection carries a long body both ways, and says what reading took', async () => {
  const spent: number[] = [];
  const meter = { waitMs: () => 0, spend: (ms: number) => void spent.push(ms) };
  expect((await echoed(await served(), meter)) === long).toBe(true);
  expect(Math.max(...spent)).toBeGreaterThan(0);
});

test('it reads nothing while its payer must wait', async () => {
  const steps: string[] = [];
  const meter = {
    waitMs: () => (steps.length < 3 ? steps.push('wait') : 0),
    spend: () => void steps.push('read'),
  };
  expect((await echoed(await served(), meter)) === long).toBe(true);
  expect(steps.slice(0, 4)).toEqual(['wait', 'wait', 'wait', 'read']);
});

test('parts that arrive while the payer waits are handed on in their order, and then the end', async () => {
  const sent = Array.from({ length: 3000 }, (_, n) => `${n}\n`);
  const raw = createTcpServer(async (socket) => {
    for (const [n, line] of sent.entries()) {
      socket.write(line);
      if (n % 50 === 0) await setImmediate();
    }
    socket.end();
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  let looks = 0;
  const meter = {
    waitMs: () => {
      looks += 1;
      return looks % 3 === 0 ? 0 : 1 + (looks % 2) / 2;
    },
    spend: () => undefined,
  };
  const { port } = raw.address() as AddressInfo;
  const socket = new MeteredSocket(connectTcp(port, '127.0.0.1'), meter).secured();
  expect(await text(socket)).toBe(sent.join(''));
  expect(looks).toBeGreaterThan(3);
  raw.close();
});

test('a connection ends with its answer, also where the server keeps it open', async () => {
  const open = new Set<Socket>();
  const raw = createTcpServer({ allowHalfOpen: true }, (socket) => {
    // A closed connection is noticed by writing.
    let hasAnswered = false;
    const writing = setInterval(() => hasAnswered && socket.write('.'), 5);
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(writing);
      open.delete(socket);
    });
    socket.once('data', () => {
      hasAnswered = socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere');
    });
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const { port } = raw.address() as AddressInfo;
  const answer = await safeFetchFor('127.0.0.1')(`http://127.0.0.1:${port}/`);
  expect(await answer.text()).toBe('here');
  await expect.poll(() => open.size).toBe(0);
  raw.close();
});

test('R29-B1: a server that sends more certificates than anyone needs is not listened to', async () => {
  const meter = { waitMs: () => 0, spend: () => undefined };
  await expect(echoed(await served(50), meter)).rejects.toThrow('its certificates are too long');
});

test('R29-B1: nor by what users enter; one with few is read, and not trusted', async () => {
  const fetch = safeFetchFor('127.0.0.1');
  const read = async (copies: number) => fetch(`https://127.0.0.1:${await served(copies)}/`);
  await expect(read(50)).rejects.toThrow('its certificates are too long');
  await expect(read(1)).rejects.toThrow('self-signed certificate');
});

test('what has arrived of a closed connection is given up at once where nobody waits for it', async () => {
  const raw = createTcpServer();
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const client = connectTcp((raw.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(raw, 'connection')) as [Socket];
  let looks = 0;
  const meter = { waitMs: () => (looks += 1), spend: () => undefined };
  const socket = new MeteredSocket(accepted, meter, { endsAtOnce: true });
  const closed = once(socket, 'close');
  client.write('x');
  await expect.poll(() => looks).toBeGreaterThan(0);
  client.destroy();
  await closed;
  raw.close();
});
