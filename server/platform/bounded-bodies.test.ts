import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildApp } from '#server/app.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
let http: FastifyInstance;
let port: number;
/** Port of a server that gives bodies their usual time. */
let patientPort: number;
const routes: RouteOptions[] = [];
beforeAll(async () => {
  app = await openTestApp();
  patientPort = Number(new URL(await app.listen()).port);
  http = await buildApp(app.services, {
    pagesDir: null,
    bodyPatienceMs: 300,
    onRoute: (route) => void routes.push(route),
  });
  port = Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(async () => {
  await http.close();
  await app.close();
});

/** Routes with a limit above that of a form, in bytes. Each says why beside its declaration. */
const larger: Record<string, number> = {
  'POST /api/ai/analyze-sentiment': 950_000,
  'POST /api/ai/generate-action-items': 1_900_000,
  'POST /api/ai/generate-coaching': 950_000,
  'POST /api/contact': 32 * 1024,
  'POST /api/playbooks': 400_000,
  'POST /api/webhooks/daily': 64_000,
  'POST /api/webhooks/livekit': 64_000,
  'PATCH /api/transcript-lines/:id': 32 * 1024,
  'POST /sso/saml/:id/acs': 256_000,
  'PUT /api/calls/:id': 1_900_000,
  'PUT /api/embedding': 20 * 1024,
  'PUT /api/playbooks/:id': 400_000,
  'PUT /api/recordings/segments/:id/parts/:number': 4 * 1024 * 1024,
  'PUT /api/recordings/segments/:id/poster': 200 * 1024,
  'PUT /api/sso/connections/:id': 700_000,
  ...files('POST /api/organizations/:orgId/logo', 'POST /api/user/picture'),
};
function files(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, 2 * 1024 * 1024 + 16 * 1024]));
}
const takesBody = (method: string) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);

test('every route that takes a body declares its limit: 16 KB, or the exception listed here', () => {
  const taking = routes.flatMap(({ method, url, bodyLimit }) =>
    [method]
      .flat()
      .flatMap((one) => (takesBody(one) ? [{ name: `${one} ${url}`, bodyLimit }] : [])),
  );
  expect(taking.length).toBeGreaterThan(60);
  const wrong = taking.filter(({ name, bodyLimit }) => {
    const scim = name.includes('/scim/v2/Groups')
      ? 1_500_000
      : name.includes('/scim/v2/')
        ? 64 * 1024
        : 16 * 1024;
    return bodyLimit === undefined || bodyLimit > (larger[name] ?? scim);
  });
  expect(wrong).toEqual([]);
});

test.each(['/api/login', '/api/register', '/api/forgot-password', '/api/login/passkey'])(
  'a body of 17 KB to %s is refused with an error message before it is read',
  async (path) => {
    const reply = await new Visitor(app).send('POST', path, { email: 'x'.repeat(17 * 1024) });
    expect(reply).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: expect.stringMatching(/Please send less/) },
    });
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
  },
);

const json = { 'content-type': 'application/json' };
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('JSON of 32 levels is accepted, JSON of 33 levels is refused with an error message', async () => {
  const visitor = new Visitor(app);
  const send = (body: string) => visitor.send('POST', '/api/login', body, json);
  expect(await send(nested(32))).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  const refused = await send(nested(33));
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'json_too_complex', message: expect.stringMatching(/nested too deeply/) },
  });
});

test('brackets within strings do not count as levels, and a prototype is refused', async () => {
  const visitor = new Visitor(app);
  const send = (body: string) => visitor.send('POST', '/api/login', body, json);
  const quoted = JSON.stringify({ email: `\\"${'['.repeat(50)}"`, password: '{'.repeat(50) });
  expect(await send(quoted)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  const escaped = '{"\\u005f_proto__":{}}';
  for (const body of ['{"__proto__":{}}', '{"constructor":{"prototype":{}}}', escaped]) {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
  }
});

test('JSON with more than 2,500 values is refused before it is parsed', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const body = `{"checklistStateJson":{${'"a":0,'.repeat(2_501)}"b":0}}`;
  const reply = await ada.send('PUT', `/api/calls/${call.id}`, body, json);
  expect(reply).toMatchObject({ status: 400, body: { code: 'json_too_complex' } });
});

test('R27-B1: JSON with more than 500 different names is refused before it is parsed, more of the same name are not', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const send = (names: number) =>
    ada.send('PUT', `/api/calls/${call.id}`, {
      checklistStateJson: Object.fromEntries(Array.from({ length: names }, (_, n) => [n, true])),
    });
  expect(await send(501)).toMatchObject({ status: 400, body: { code: 'json_too_complex' } });
  expect(await send(400)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  const body = `{"checklistStateJson":{${'"a":0,'.repeat(1_000)}"b":0}}`;
  const reply = await ada.send('PUT', `/api/calls/${call.id}`, body, json);
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('R5-8: the error for a body with many wrong values lists a hundred of them', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const values = Array.from({ length: 450 }, (_, n) => [`${'k'.repeat(170)}${n}`, 1]);
  const body = JSON.stringify({ checklistStateJson: Object.fromEntries(values) });
  const reply = await ada.send('PUT', `/api/calls/${call.id}`, body, json);
  expect(reply.status).toBe(400);
  expect((reply.body as { errors: unknown[] }).errors).toHaveLength(100);
});

test('a rate limit counts before the body is read, so it throttles unreadable bodies', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '0.05' });
  const visitor = new Visitor(strict);
  for (const status of [400, 429]) {
    const reply = await visitor.send('POST', '/api/register', nested(5000), json);
    expect(reply).toMatchObject({ status, body: { status } });
  }
  await strict.close();
});

/** Sends the head of a request, and then one `{` after another for as long as the server listens. */
async function trickle(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer = answerOn(socket);
  socket.write(`${head}\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n`);
  const timer = setInterval(() => socket.writable && socket.write('{'), 50);
  return answer.finally(() => clearInterval(timer));
}

/**
 * Collects the answer until the connection ends. The server may reset a connection whose body it
 * has not read.
 */
function answerOn(socket: Socket): Promise<string> {
  let answer = '';
  socket
    .setEncoding('utf8')
    .on('error', () => undefined)
    .on('data', (part) => {
      answer += part;
    });
  return new Promise((over) => socket.once('close', () => over(answer)));
}

test('a body that trickles is ended with 408, and its connection is closed', async () => {
  const answer = await trickle('POST /api/login HTTP/1.1\r\nContent-Length: 10000');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toMatch(/connection: close/i);
  expect(answer).toContain('Your request took too long to arrive.');
});

/** Sends a JSON body in chunks (RFC 9112, section 7.1) of so many bytes, all at once. */
async function sendInChunks(bytesOfChunk: number, body: string): Promise<string> {
  const socket = connect(patientPort, '127.0.0.1');
  const answer = answerOn(socket);
  const chunks = body.match(new RegExp(`.{1,${bytesOfChunk}}`, 'g')) ?? [];
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  const head = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json';
  socket.write(`${head}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`);
  socket.write(`${framed}0\r\n\r\n`);
  return answer;
}

test('R20-53: a body in more chunks than it needs is refused, and its connection is closed', async () => {
  const login = JSON.stringify({ email: 'ada@example.com', password: 'x'.repeat(10_000) });
  expect(await sendInChunks(1, login)).not.toContain('invalid_input');
  expect(await sendInChunks(64, login)).toContain('invalid_input');
});

test('R20-53: no more than one piece of such a body is handled', async () => {
  const counted = vi.spyOn(IncomingMessage.prototype, 'push');
  await sendInChunks(1, 'x'.repeat(15_000));
  expect(counted.mock.calls.length).toBeLessThan(300);
  counted.mockRestore();
});

test('R20-53: a long body that a sender flushes often arrives whole', async () => {
  const { person, call } = await inACall();
  const body = JSON.stringify({ notesSnapshot: 'x'.repeat(200_000) });
  const parts = body.match(/.{1,700}/g) ?? [];
  const answer = await fetch(`http://127.0.0.1:${patientPort}/api/calls/${call}`, {
    method: 'PUT',
    headers: { ...json, cookie: person.cookie, origin: `http://127.0.0.1:${patientPort}` },
    body: new ReadableStream({
      start: (stream) => {
        for (const part of parts) stream.enqueue(Buffer.from(part));
        stream.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(200);
});

test.each([
  'PUT /api/calls/019b0000-0000-7000-8000-000000000000',
  'POST /api/playbooks',
  'POST /scim/v2/Users',
])('%s without a session or token is refused before its long body is read', async (line) => {
  const answer = await trickle(`${line} HTTP/1.1\r\nContent-Length: 300000`);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test('concurrent long bodies of several organizations are all answered', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const [adas, bens] = [(await runningCall(ada)).call.id, (await runningCall(ben)).call.id];
  const notesSnapshot = 'x'.repeat(100_000);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? ada.send('PUT', `/api/calls/${adas}`, { notesSnapshot })
        : ben.send('PUT', `/api/calls/${bens}`, { notesSnapshot }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
});

/** Sends the head of a request for a long body and its first byte. */
function stall(on: number, { cookie }: Visitor, call: string) {
  const socket = connect(on, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `PUT /api/calls/${call} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n{`);
  return socket;
}
const inACall = async () => {
  const person = await newOrganization(app);
  return { person, call: (await runningCall(person)).call.id };
};
const notesSnapshot = 'x'.repeat(250_000);

test('organizations whose long bodies stall keep no other organization waiting', async () => {
  const stalling = await Promise.all(Array.from({ length: 6 }, inACall));
  const { person: ben, call } = await inACall();
  const sockets = stalling.map((each) => stall(patientPort, each.person, each.call));
  // The first of these may arrive before the stalled bodies are admitted.
  for (let n = 0; n < 10; n += 1) {
    expect((await ben.send('PUT', `/api/calls/${call}`, { notesSnapshot })).status).toBe(200);
  }
  for (const socket of sockets) socket.destroy();
});

test('a long body that stalls is ended with 408 long before a short one that trickles', async () => {
  const patient = await buildApp(app.services, { pagesDir: null, bodyPatienceMs: 9_000 });
  const on = Number(new URL(await patient.listen({ port: 0, host: '127.0.0.1' })).port);
  const { person, call } = await inACall();
  const ended: string[] = [];
  const short = connect(on, '127.0.0.1');
  short.write('POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
  short.write('Content-Length: 100\r\n\r\n{');
  const shortEnd = answerOn(short).then(() => ended.push('short'));
  const answer = await answerOn(stall(on, person, call));
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(ended).toEqual([]);
  short.destroy();
  await shortEnd.catch(() => undefined);
  await patient.close();
});

test('the time limit of a long body starts when its turn comes', async () => {
  const { person, call } = await inACall();
  const put = () =>
    fetch(`http://127.0.0.1:${port}/api/calls/${call}`, {
      method: 'PUT',
      headers: { ...json, cookie: person.cookie, origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify({ notesSnapshot }) + ' '.repeat(300_000),
    }).then(({ status }) => status);
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [call]);
  const first = put();
  await expect.poll(() => lockWaiters(app), { timeout: 10_000 }).toBe(1);
  const second = put();
  // By then the second request has waited longer than a body may take.
  await trickle('POST /api/login HTTP/1.1\r\nContent-Length: 10000');
  await trickle('POST /api/login HTTP/1.1\r\nContent-Length: 10000');
  await app.owner.query('commit');
  expect(await Promise.all([first, second])).toEqual([200, 200]);
});

test('the next long body is read once the previous is handled, even if its answer is not read', async () => {
  const { person, call } = await inACall();
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  // Unread answers of 4 MB keep the answer of the PUT waiting behind them.
  socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(8));
  const body = JSON.stringify({ notesSnapshot });
  socket.write(
    `PUT /api/calls/${call} HTTP/1.1\r\nHost: localhost\r\nCookie: ${person.cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const stored = async () => {
    const { rows } = await app.owner.query(
      'select notes_snapshot as notes from calls where id = $1',
      [call],
    );
    return rows[0].notes?.length;
  };
  await expect.poll(stored, { timeout: 10_000 }).toBe(notesSnapshot.length);
  expect((await person.send('PUT', `/api/calls/${call}`, { notesSnapshot })).status).toBe(200);
  socket.destroy();
});

test('a request without a body does not wait for the organization’s long body', async () => {
  const { person, call } = await inACall();
  const directory = await Directory.of(app, person);
  const socket = stall(patientPort, person, call);
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
  for (let n = 0; n < 5; n += 1) {
    expect((await directory.ask('GET', '/Groups')).status).toBe(200);
  }
  socket.destroy();
});

test('a request whose client disconnects keeps its place until it is handled', async () => {
  const { person, call } = await inACall();
  const put = (end: AbortSignal | null) =>
    fetch(`http://127.0.0.1:${port}/api/calls/${call}`, {
      method: 'PUT',
      headers: { ...json, cookie: person.cookie, origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify({ notesSnapshot }),
      signal: end,
    }).then(({ status }) => status);
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [call]);
  const leaving = new AbortController();
  const first = put(leaving.signal).catch(() => 'gone');
  await expect.poll(() => lockWaiters(app), { timeout: 10_000 }).toBe(1);
  leaving.abort();
  expect(await first).toBe('gone');
  const second = put(null);
  // Meanwhile another organization's long body is read and handled.
  const other = await inACall();
  const path = `/api/calls/${other.call}`;
  expect((await other.person.send('PUT', path, { notesSnapshot })).status).toBe(200);
  expect(await lockWaiters(app)).toBe(1);
  await app.owner.query('commit');
  expect(await second).toBe(200);
});
