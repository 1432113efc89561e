import { expect, test, vi } from 'vitest';
import { login } from '#domain/auth/contract.ts';
import { listCalls } from '#domain/calls/contract.ts';
import { roomId } from '#domain/ids.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { ApiError, failureOf, request } from '#web/platform/api.ts';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { someId } from '#web/testing/show.tsx';

const message = async (body: string, status = 400, statusText = 'Bad Request') =>
  (await failureOf(new Response(body, { status, statusText }))).message;

test('a failure has the details as its message, else the message, else the status and the body', async () => {
  expect(await message('{"details":"D","message":"M"}')).toBe('D');
  expect(await message('{"message":"M"}')).toBe('M');
  expect(await message('{"title":"T"}')).toBe('400: {"title":"T"}');
  expect(await message('<h1>Oops</h1>', 502)).toBe('502: <h1>Oops</h1>');
  expect(await message('', 502, 'Bad Gateway')).toBe('502: Bad Gateway');
  expect(await message('{"details":""}')).toBe('400: {"details":""}');
  expect(await message('null')).toBe('400: null');
});

test('a failure with an unreadable body has the status and its text', async () => {
  const broken = new Response('x', { status: 500, statusText: 'Internal Server Error' });
  await broken.text();
  expect((await failureOf(broken)).message).toBe('500: Internal Server Error');
});

test('a 401 contains the specification’s Unauthorized', async () => {
  expect((await failureOf(signedOut())).message).toMatch(/^401: .*Unauthorized/s);
});

test('a failure keeps its status and the server’s message for each field', async () => {
  const errors = [{ path: 'topic', message: 'Topic is required' }];
  const failure = await failureOf(refusal(400, { message: 'Topic is required', errors }));
  expect(failure.status).toBe(400);
  expect(failure.problem?.errors).toEqual(errors);
  expect(failure.serverMessage).toBe('Topic is required');
});

test('parameters, query and body are sent where the contract puts them', async () => {
  const id = roomId.parse(someId(7));
  const asked = fakeServer({
    [`GET /api/rooms/${id}`]: { id },
    'POST /api/login': { id: someId(1) },
    'GET /api/calls': [],
  });
  await request(openRoom, { params: { id } });
  await request(login, { body: { email: 'a@b.c', password: 'secret1' } });
  await request(listCalls, { query: { limit: 5 } });
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /api/rooms/${id}`,
    'POST /api/login',
    'GET /api/calls',
  ]);
  expect(asked[1]?.body).toEqual({ email: 'a@b.c', password: 'secret1' });
});

test('every request sends cookies, and a body as JSON', async () => {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => Response.json([]));
  vi.stubGlobal('fetch', fetched);
  await request(listCalls, {});
  await request(login, { body: { email: 'a@b.c', password: 'secret1' } });
  const [read, sent] = fetched.mock.calls.map(([, init]) => init);
  expect(read).toEqual({ method: 'GET', credentials: 'include' });
  expect(sent).toEqual({
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"a@b.c","password":"secret1"}',
  });
});

test('an unreachable server is a failure with a sentence, and status 0', async () => {
  fakeServer({ 'GET /api/calls': () => Promise.reject(new TypeError('Failed to fetch')) });
  const failure = await request(listCalls, {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 0, message: expect.stringContaining('connection') });
});
