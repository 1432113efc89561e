import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, etagOf, RapportError } from './client.ts';

interface Sent {
  url: string;
  method: string;
  key: string | undefined;
  ifMatch: string | undefined;
  body: unknown;
}
let sent: Sent[];
let answers: (Response | Error)[];
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answers = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const given: typeof fetch = async (url, init = {}) => {
  const headers = new Headers(init.headers);
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const key = headers.get('idempotency-key') ?? undefined;
  const ifMatch = headers.get('if-match') ?? undefined;
  sent.push({ url: String(url), method: init.method ?? '', key, ifMatch, body });
  expect(headers.get('authorization')).toBe('Bearer rpt_test');
  const answer = answers.shift();
  if (answer === undefined) throw new Error('one request too many');
  if (answer instanceof Error) throw answer;
  return answer;
};
const client = (more: { retries?: number; longestWaitSeconds?: number } = {}) =>
  createClient({ url: 'https://calls.example.com', token: 'rpt_test', fetch: given, ...more });
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ status, title: 'Title', code, message: 'Message' }, status, headers);
const failed = (request: Promise<unknown>) =>
  request.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

test('an operation fills in its path, query, and body', async () => {
  answers = [json({ id: 'r' }), json([])];
  await client().updateRoom({ params: { id: 'a/b' }, body: { topic: 'New' } });
  await client().listCalls({ query: { limit: 5, sort: 'longest' } });
  expect(sent).toMatchObject([
    { method: 'PATCH', url: 'https://calls.example.com/api/rooms/a%2Fb', body: { topic: 'New' } },
    { method: 'GET', url: 'https://calls.example.com/api/calls?limit=5&sort=longest' },
  ]);
  expect(sent[0]?.key).toBeUndefined();
});

test('an error has status, code, fields, rate limit, and request', async () => {
  const headers = {
    'x-request-id': 'req-1',
    'ratelimit-policy': '"token";q=600;w=60',
    ratelimit: '"token";r=12;t=30',
  };
  const errors = [{ path: 'topic', message: 'Topic is required' }];
  const problem = { status: 400, code: 'invalid_input', message: 'Topic is required', errors };
  answers = [json(problem, 400, headers)];
  const error = await failed(client().createRoom({ body: { topic: '' } }));
  expect(error).toBeInstanceOf(RapportError);
  expect(error).toMatchObject({
    ...problem,
    requestId: 'req-1',
    rateLimit: { limit: 600, remaining: 12, resetSeconds: 30 },
    retryAfterSeconds: null,
  });
});

test('an error page of a proxy is an error, too', async () => {
  answers = [new Response('<h1>Not here</h1>', { status: 404 })];
  const error = await failed(client().listRooms());
  expect(error).toMatchObject({ status: 404, code: 'unknown', errors: [] });
});

test('a POST without an answer is sent again with the same key', async () => {
  answers = [new TypeError('fetch failed'), json({ id: 'r' }, 201)];
  const made = client().createRoom({ body: { topic: 'Kick-off' } });
  await vi.runAllTimersAsync();
  expect(await made).toEqual({ id: 'r' });
  expect(sent[0]?.key).toMatch(/^[\w-]{36}$/);
  expect(sent[1]).toEqual(sent[0]);
});

test('a request waits for as long as a 429 says, and while its first one is in progress', async () => {
  answers = [
    refusal(429, 'too_many_token_requests', { 'retry-after': '7' }),
    refusal(409, 'idempotency_key_in_progress', { 'retry-after': '1' }),
    json({ id: 'r' }, 201),
  ];
  const made = client().createRoom({ body: { topic: 'Kick-off' }, idempotencyKey: 'order-1' });
  await vi.advanceTimersByTimeAsync(6_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await made).toEqual({ id: 'r' });
  expect(sent.map(({ key }) => key)).toEqual(['order-1', 'order-1', 'order-1']);
});

test('it does not wait for longer than it may, nor repeat what is refused for good', async () => {
  answers = [refusal(429, 'too_many_token_requests', { 'retry-after': '50' })];
  const limited = client({ longestWaitSeconds: 10 });
  expect(await failed(limited.listRooms())).toMatchObject({ retryAfterSeconds: 50 });
  answers = [refusal(409, 'edited_meanwhile')];
  expect(await failed(client().listRooms())).toMatchObject({ code: 'edited_meanwhile' });
  answers = [new TypeError('fetch failed')];
  expect(await failed(client({ retries: 0 }).listRooms())).toBeInstanceOf(TypeError);
});

test('a change is sent with the ETag of what was read', async () => {
  answers = [json({ id: 'r' }, 200, { etag: '"one"' }), refusal(412, 'changed_since_read')];
  const read = await client().readRoom({ params: { id: 'r' } });
  expect(etagOf(read)).toBe('"one"');
  const change = { params: { id: 'r' }, body: { topic: 'New' }, ifMatch: etagOf(read) };
  expect(await failed(client().updateRoom(change))).toMatchObject({
    status: 412,
    code: 'changed_since_read',
  });
  expect(sent.map(({ ifMatch }) => ifMatch)).toEqual([undefined, '"one"']);
  expect(() => etagOf({ ...read })).toThrow(TypeError);
});

test('a change with an ETag that may have been made is not sent again', async () => {
  const change = { params: { id: 'r' }, body: { topic: 'New' }, ifMatch: '"one"' };
  answers = [new TypeError('fetch failed')];
  expect(await failed(client().updateRoom(change))).toBeInstanceOf(TypeError);
  answers = [refusal(502, 'unknown')];
  expect(await failed(client().updateRoom(change))).toMatchObject({ status: 502 });
  answers = [refusal(429, 'too_many_token_requests', { 'retry-after': '1' }), json({ id: 'r' })];
  const made = client().updateRoom(change);
  await vi.runAllTimersAsync();
  expect(await made).toEqual({ id: 'r' });
  expect(sent.at(-1)?.ifMatch).toBe('"one"');
});

test('waiting ends with its signal', async () => {
  answers = [refusal(429, 'too_many_token_requests', { 'retry-after': '50' })];
  const stop = new AbortController();
  const ended = failed(client().listRooms({ signal: stop.signal }));
  await vi.advanceTimersByTimeAsync(1_000);
  stop.abort(new Error('stopped'));
  expect(await ended).toMatchObject({ message: 'stopped' });
});

test('each reads a further page only when its items are needed', async () => {
  const link = { link: '</api/rooms?limit=2&before=b>; rel="next"' };
  answers = [json([{ id: 'a' }, { id: 'b' }], 200, link), json([{ id: 'c' }])];
  const rooms = client().each('listRooms', { query: { limit: 2 } });
  expect((await rooms.next()).value).toEqual({ id: 'a' });
  expect((await rooms.next()).value).toEqual({ id: 'b' });
  expect(sent).toHaveLength(1);
  expect((await rooms.next()).value).toEqual({ id: 'c' });
  expect(await rooms.next()).toMatchObject({ done: true });
  expect(sent.map(({ url }) => url)).toEqual([
    'https://calls.example.com/api/rooms?limit=2',
    'https://calls.example.com/api/rooms?limit=2&before=b',
  ]);
});

test('the token is sent to no other origin', async () => {
  const link = { link: '<https://elsewhere.example/api/rooms>; rel="next"' };
  answers = [json([{ id: 'a' }], 200, link)];
  const rooms = client().each('listRooms');
  await rooms.next();
  expect(await failed(rooms.next())).toMatchObject({ message: expect.stringMatching(/elsewhere/) });
  expect(sent).toHaveLength(1);
});
