import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { providerKeys } from '#server/testing/saml-keys.ts';
import { boundConnections } from './bounded-connections.ts';
import type { ConnectionBounds } from './open-connections.ts';

/** One address has most of the waiting connections, and another has few. */
const [greedy, modest] = ['127.0.0.2', '127.0.0.3'];
const unfinished = 'GET /short HTTP/1.1\r\nHost: localhost\r\nX-Long: x';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (length: number) =>
  `POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

let http: FastifyInstance;
const sockets: Socket[] = [];
/** Ends the answers to `/slow`. */
let answerSlow: (() => void)[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const answer of answerSlow.splice(0)) answer();
  await http.close();
});

interface Served {
  env?: Record<string, string>;
  bounds?: Partial<ConnectionBounds>;
  tls?: { key: string; cert: string };
}

async function serve({ env = {}, bounds, tls }: Served = {}): Promise<void> {
  answerSlow = [];
  const options = {
    forceCloseConnections: true,
    trustProxy: readConfig(env).TRUSTED_PROXIES ?? false,
  };
  http = tls ? Fastify({ ...options, https: tls }) : Fastify(options);
  const given = bounds && { waiting: 1_000, answering: 1_000, inAll: 1_000, ...bounds };
  boundConnections(http, readConfig(env), given);
  http.get('/short', async () => 'short');
  http.get('/slow', async () => {
    await new Promise<void>((answer) => answerSlow.push(answer));
    return 'slow';
  });
  http.post('/form', async () => 'stored');
  await http.listen({ port: 0, host: '127.0.0.1' });
}

interface Client {
  socket: Socket;
  received: string;
  isClosed: boolean;
}

function follow(socket: Socket, text: string): Client {
  const client = { socket, received: '', isClosed: false };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    client.received += chunk;
  });
  socket.once('close', () => {
    client.isClosed = true;
  });
  socket.write(text);
  sockets.push(socket);
  return client;
}

const port = () => (http.server.address() as AddressInfo).port;

/** Opens a connection, and waits until the server has accepted it. */
async function open(localAddress: string, text = ''): Promise<Client> {
  const accepted = new Promise((resolve) => http.server.once('connection', resolve));
  const client = follow(connect({ port: port(), host: '127.0.0.1', localAddress }), text);
  await accepted;
  return client;
}

/** Opens a connection, and waits until its request is in progress. */
async function openSlow(): Promise<Client> {
  const inProgress = answerSlow.length + 1;
  const client = await open(greedy, get('/slow'));
  await expect.poll(() => answerSlow.length).toBe(inProgress);
  return client;
}

const received = (client: Client) => expect.poll(() => client.received);
const closed = (clients: readonly Client[]) =>
  expect.poll(() => clients.map(({ isClosed }) => isClosed));

const connections = () =>
  new Promise<number>((resolve, reject) =>
    http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('R9-4: past the bound of waiting connections, the address with most of them loses its oldest', async () => {
  await serve({ bounds: { waiting: 4 } });
  const few = await open(modest, unfinished);
  const idle = await open(greedy, get('/short'));
  await received(idle).toContain('short');
  const many = [await open(greedy, unfinished), await open(greedy), await open(greedy)];
  await closed([few, idle, ...many]).toEqual([false, true, false, false, false]);
  const next = await open(modest, get('/short'));
  await received(next).toContain('short');
  await closed([few, next, ...many]).toEqual([false, false, true, false, false]);
});

test('R9-4: requests in progress are not cut, and wait again once they are answered', async () => {
  await serve({ bounds: { waiting: 1 } });
  const slow = [await openSlow(), await openSlow()];
  const idle = [await open(greedy), await open(greedy)];
  await closed([...slow, ...idle]).toEqual([false, false, true, false]);
  for (const answer of answerSlow) answer();
  for (const client of slow) await received(client).toContain('slow');
  await closed([...slow, ...idle]).toEqual([true, false, true, true]);
});

test('R9-4: a request whose body does not arrive waits for its client', async () => {
  await serve({ bounds: { waiting: 2 } });
  const begun = new Promise((resolve) => http.server.once('request', resolve));
  const stalled = await open(greedy, `${post(2)}{`);
  await begun;
  const others = [await open(greedy), await open(greedy)];
  await closed([stalled, ...others]).toEqual([true, false, false]);
  const stored = await open(modest, `${post(2)}{}`);
  await received(stored).toContain('stored');
});

test('R9-4: past the bound of all connections, waiting ones are cut, and else the new one', async () => {
  await serve({ bounds: { inAll: 2 } });
  const idle = await open(greedy);
  const slow = [await openSlow(), await openSlow()];
  await closed([idle, ...slow]).toEqual([true, false, false]);
  const refused = await open(modest, get('/short'));
  await closed([refused, ...slow]).toEqual([true, false, false]);
});

test('R31-A5: past the bound of requests in progress, the address with most of them loses its oldest', async () => {
  await serve({ bounds: { answering: 3 } });
  const few = await open(modest, get('/slow'));
  await expect.poll(() => answerSlow.length).toBe(1);
  const many = [await openSlow(), await openSlow(), await openSlow()];
  await closed([few, ...many]).toEqual([false, true, false, false]);
  for (const answer of answerSlow) answer();
  await received(few).toContain('slow');
});

test('R31-A5: requests that a trusted proxy sends count for their clients', async () => {
  await serve({ env: { TRUSTED_PROXIES: greedy }, bounds: { answering: 3 } });
  const slowFor = async (client: string) => {
    const inProgress = answerSlow.length + 1;
    const text = get('/slow').replace('\r\n\r\n', `\r\nx-forwarded-for: ${client}\r\n\r\n`);
    const opened = await open(greedy, text);
    await expect.poll(() => answerSlow.length).toBe(inProgress);
    return opened;
  };
  const first = await slowFor('192.0.2.1');
  const many: Client[] = [];
  for (let n = 0; n < 3; n += 1) many.push(await slowFor('192.0.2.2'));
  await closed([first, ...many]).toEqual([false, true, false, false]);
});

test('R9-4: connections of a trusted proxy count in the total', async () => {
  await serve({ env: { TRUSTED_PROXIES: greedy }, bounds: { waiting: 1 } });
  const idle = [await open(greedy), await open(greedy)];
  await closed(idle).toEqual([true, false]);
});

test('R9-4: with TLS, idle connections are cut, and requests in progress are not', async () => {
  const { key, certificate } = providerKeys;
  await serve({ bounds: { waiting: 1 }, tls: { key, cert: certificate } });
  const secure = (text: string) =>
    follow(connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false }), text);
  const slow = secure(get('/slow'));
  await expect.poll(() => answerSlow.length).toBe(1);
  const idle = secure(get('/short'));
  await received(idle).toContain('short');
  const handshaking = await open(greedy);
  await closed([slow, idle, handshaking]).toEqual([false, true, false]);
});

test('an address has a limited number of connections, and gets new ones once others close', async () => {
  // RATE_LIMIT_SCALE 0.001 of 2,000 connections is two.
  await serve({ env: { RATE_LIMIT_SCALE: '0.001' } });
  const [first] = [await open(greedy), await open(greedy)];
  const refused = await open(greedy);
  await closed([refused]).toEqual([true]);
  first?.socket.destroy();
  await expect.poll(connections).toBe(1);
  await received(await open(greedy, get('/short'))).toContain('short');
});

test.each(['127.0.0.2', 'loopback'])(
  'a proxy trusted as %s may open more connections',
  async (proxies) => {
    await serve({ env: { RATE_LIMIT_SCALE: '0.001', TRUSTED_PROXIES: proxies } });
    for (let n = 0; n < 5; n += 1) await open(greedy);
    await expect.poll(connections).toBe(5);
  },
);
