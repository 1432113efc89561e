import { once } from 'node:events';
import { type Agent, Agent as HttpsAgent, request } from 'node:https';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { providerKeys } from '#server/testing/saml-keys.ts';
import { meterTls } from './metered-tls.ts';

let http: FastifyInstance;
const agents: Agent[] = [];
const sockets: TLSSocket[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close();
});

async function serve(env: Record<string, string> = {}): Promise<number> {
  const { certificate: cert, key } = providerKeys;
  http = Fastify({ forceCloseConnections: true, bodyLimit: 4_000_000, https: { cert, key } });
  meterTls(http, readConfig(env));
  http.get('/address', async ({ ip }) => ip);
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  http.post('/length', async ({ body }) => String((body as Buffer).length));
  await http.listen({ port: 0, host: '127.0.0.1' });
  return (http.server.address() as AddressInfo).port;
}

/** Returns a client that keeps its connection. */
function clientAt(port: number, localAddress: string) {
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return async (path: string, body?: Buffer) => {
    const outgoing = request({
      ...{ host: '127.0.0.1', port, path, agent, localAddress, rejectUnauthorized: false },
      method: body ? 'POST' : 'GET',
      headers: body ? { 'content-type': 'application/octet-stream', connection: 'keep-alive' } : {},
    });
    outgoing.end(body);
    const [incoming] = await once(outgoing, 'response');
    return Buffer.concat(await incoming.toArray()).toString();
  };
}

/** Sends a body as one record for each byte. */
async function sendInSmallRecords(port: number, localAddress: string, bytes: number) {
  const socket = connect({
    socket: connectTcp({ host: '127.0.0.1', port, localAddress, noDelay: true }),
    rejectUnauthorized: false,
  });
  sockets.push(socket);
  const client = { answer: '', isOpen: true };
  socket.on('error', () => undefined);
  socket.on('data', (part) => {
    client.answer += part;
  });
  socket.on('close', () => {
    client.isOpen = false;
  });
  await once(socket, 'secureConnect');
  socket.write(
    `POST /length HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes; sent += 1) {
    await new Promise((resolve) => socket.write('x', resolve));
  }
  return client;
}

test('a request over TLS keeps its address, and a large body arrives whole', async () => {
  const ask = clientAt(await serve(), '127.0.0.5');
  expect(await ask('/address')).toBe('127.0.0.5');
  expect(await ask('/length', Buffer.alloc(3_000_000))).toBe('3000000');
  expect(await ask('/address')).toBe('127.0.0.5');
});

test('a large body may be the first that a new connection sends', async () => {
  const port = await serve();
  for (let n = 0; n < 5; n += 1) {
    const ask = clientAt(port, '127.0.0.5');
    expect(await ask('/length', Buffer.alloc(3_000_000))).toBe('3000000');
  }
});

test('R30-A3: small records of one address wait, and other addresses are answered meanwhile', async () => {
  // A connection has 4 records at once, and 2 a second; an address has 60, and 30 a second.
  const port = await serve({ RATE_LIMIT_SCALE: '0.01' });
  const flood = await sendInSmallRecords(port, '127.0.0.5', 1000);
  const ask = clientAt(port, '127.0.0.6');
  expect(await ask('/address')).toBe('127.0.0.6');
  expect(await ask('/length', Buffer.alloc(100_000))).toBe('100000');
  expect(flood).toEqual({ answer: '', isOpen: true });
});

test('small records within the bound, and those of a trusted proxy, are read at once', async () => {
  const within = await sendInSmallRecords(await serve(), '127.0.0.5', 300);
  await expect.poll(() => within.answer).toContain('\r\n\r\n300');
  await http.close();
  const port = await serve({ RATE_LIMIT_SCALE: '0.01', TRUSTED_PROXIES: 'loopback' });
  const proxied = await sendInSmallRecords(port, '127.0.0.5', 1000);
  await expect.poll(() => proxied.answer).toContain('\r\n\r\n1000');
});

test('R31-A4: handshakes of one address wait, and another address connects meanwhile', async () => {
  // A network has 5 at once, and one in two seconds.
  const port = await serve({ RATE_LIMIT_SCALE: '0.01' });
  let established = 0;
  const open = (localAddress: string) => {
    const socket = connect({
      socket: connectTcp({ host: '127.0.0.1', port, localAddress }),
      rejectUnauthorized: false,
    });
    sockets.push(socket);
    socket.on('error', () => undefined);
    return socket;
  };
  for (let n = 0; n < 20; n += 1) {
    open('127.0.0.5').once('secureConnect', () => {
      established += 1;
    });
  }
  await expect.poll(() => established).toBeGreaterThan(2);
  await once(open('127.0.0.6'), 'secureConnect');
  expect(established).toBeLessThan(10);
});
