import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
/** Each endpoint that takes a body, with one of its text fields. */
const doors = (): ['POST' | 'PUT', string, string][] => [
  ['POST', '/api/register', 'firstName'],
  ['POST', '/api/login', 'email'],
  ['POST', '/api/playbooks', 'title'],
  ['POST', '/api/rooms', 'topic'],
  ['POST', '/api/calls', 'startedAt'],
  ['PUT', `/api/calls/${started.call.id}`, 'notesSnapshot'],
];

test('a body of 2 MB is refused with an error message, and nothing is stored', async () => {
  for (const [method, path, field] of doors()) {
    const reply = await ada.send(method, path, { [field]: 'x'.repeat(2_000_000) });
    expect(reply).toMatchObject({ status: 413, body: { status: 413, title: 'Content Too Large' } });
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/Please send less/) });
  }
});

test('attack 40: JSON nested 10,000 levels deep is answered and crashes nothing', async () => {
  const arrays = '['.repeat(10_000) + ']'.repeat(10_000);
  const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  for (const [method, path, field] of doors()) {
    for (const deep of [arrays, objects]) {
      for (const body of [deep, `{"${field}":${deep}}`, `{"checklistStateJson":${deep}}`]) {
        const reply = await ada.send(method, path, body, json);
        expect(reply.status).toBeLessThan(500);
      }
    }
  }
});

test.each([
  ['a number beyond all numbers', '1e999'],
  ['a number with 100,000 digits', '9'.repeat(100_000)],
  ['a lone surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"\\udc00 and more"'],
  ['a NUL', '"a\\u0000b"'],
  ['a noncharacter', '"\\uffff"'],
  ['null', 'null'],
  ['an array', '[]'],
  ['an object', '{"$gt":""}'],
  ['a prototype', '{"__proto__":{"role":"ORGADMIN"}}'],
])('attack 40: %s in any field causes no server error', async (_, value) => {
  const fields = ['durationSec', 'npsScore', 'npsFeedback', 'endedAt', 'checklistStateJson'];
  for (const [method, path, field] of doors()) {
    for (const name of [
      field,
      ...fields,
      'roomId',
      'playbookId',
      'checklistItems',
      'notesUpdate',
    ]) {
      const reply = await ada.send(method, path, `{"${name}":${value}}`, json);
      expect([path, name, reply.status]).toEqual([path, name, expect.any(Number)]);
      expect(reply.status).toBeLessThan(500);
    }
  }
});

test.each(['{', '', 'null', '"text"', '{"a":1}}', '\u0000'])(
  'a body of %j is refused with an error message',
  async (body) => {
    for (const [method, path] of doors().slice(0, 5)) {
      const reply = await ada.send(method, path, body, json);
      expect(reply).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    }
  },
);

test('attack 26: a body that is not JSON is refused, because any site can send forms', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
  ]) {
    const reply = await ada.send('POST', '/api/rooms', '{"topic":"forged"}', {
      'content-type': type,
    });
    expect(reply.status).toBe(415);
  }
  const rooms = (await ada.send('GET', '/api/rooms')).body as { topic: string }[];
  expect(rooms.map((room) => room.topic)).not.toContain('forged');
});

test.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'https://localhost:80' },
  { 'sec-fetch-site': 'cross-site' },
])('attack 26: a change sent with %j is refused, a read is not', async (headers) => {
  const sent = headers as Record<string, string>;
  expect(await ada.send('POST', '/api/rooms', { topic: 'forged' }, sent)).toMatchObject({
    status: 403,
    body: { code: 'foreign_origin' },
  });
  expect(await ada.send('POST', '/api/logout', undefined, sent)).toMatchObject({ status: 403 });
  expect(await ada.send('GET', '/api/rooms', undefined, sent)).toMatchObject({ status: 200 });
});

test('pages of the same origin may make changes', async () => {
  const reply = await ada.send(
    'POST',
    '/api/rooms',
    { topic: 'ours' },
    {
      origin: 'http://localhost:80',
      host: 'localhost:80',
    },
  );
  expect(reply.status).toBe(201);
});

test.each([
  '/api/nothing',
  '/api/rooms/not-an-id',
  '/api/rooms/%00',
  '/api/calls/../../etc/passwd',
  '/ws/nothing',
])('GET %s is not found', async (path) => {
  expect((await ada.send('GET', path)).status).toBe(404);
});

test.each([
  [400, '/api/rooms?limit=0'],
  [400, '/api/rooms?limit=201'],
  [400, '/api/rooms?limit=ten'],
  [400, '/api/rooms?limit=1e999'],
  [400, '/api/rooms?before=yesterday'],
  [400, '/api/calls?roomId=%00'],
  [400, '/api/calls?before=a&before=b'],
  [404, '/api/rooms/%E0%A4%A'],
  [404, '/api/join/%ff'],
  [404, `/api/rooms/${'x'.repeat(400)}`],
])('%i with an error message for GET %s', async (status, path) => {
  const reply = await ada.send('GET', path);
  expect(reply).toMatchObject({ status, body: { status, message: expect.any(String) } });
  expect(reply.headers['content-type']).toMatch('application/problem+json');
  expect(reply.body).not.toHaveProperty('statusCode');
  expect(reply.headers).not.toHaveProperty('retry-after');
});

test('no browser or proxy caches answers of the API', async () => {
  for (const path of ['/api/user', '/api/rooms', `/api/calls/${started.call.id}`, '/api/users']) {
    expect((await ada.send('GET', path)).headers['cache-control']).toBe('no-store');
  }
});

test('every answer has an id that the log repeats, and none shows a stack', async () => {
  const crash = await app.services.database
    .connection('outside', ({ query }) => query('select 1', []))
    .then(() => ada.send('GET', '/api/rooms'));
  expect(crash.headers['x-request-id']).toEqual(expect.any(String));
  await app.owner.query('alter table rooms rename to rooms_away');
  try {
    const reply = await ada.send('GET', '/api/rooms');
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(reply.body)).toContain(String(reply.headers['x-request-id']));
    expect(JSON.stringify(reply.body)).not.toMatch(/rooms_away|relation|node_modules/);
  } finally {
    await app.owner.query('alter table rooms_away rename to rooms');
  }
});

test('bytes that are not HTTP end only their own connection', async () => {
  const { port } = new URL((await app.listen()).replace('ws:', 'http:'));
  for (const bytes of [
    'GET / HTTP/9\r\n\r\n',
    '\0\0\0',
    'POST /api/login HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(bytes);
    expect(await text(socket).catch(() => '')).toMatch(/^(HTTP\/1\.1 400|$)/);
  }
  expect(await new Visitor(app).send('GET', '/healthz')).toMatchObject({ status: 200 });
  expect(await new Visitor(app).send('GET', '/readyz')).toMatchObject({ status: 200 });
  expect((await new Visitor(app).send('GET', '/ws')).status).toBeLessThan(500);
});

test('a field error uses our own wording, not that of a library', async () => {
  const reply = await ada.send('POST', '/api/calls', { roomId: 'x', startedAt: 'now' });
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_input',
      message: 'Please send an ID here.',
      errors: [
        { path: 'roomId', message: 'Please send an ID here.' },
        { path: 'startedAt', message: 'Please send a time such as 2026-01-31T09:30:00Z here.' },
      ],
    },
  });
});
