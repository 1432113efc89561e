import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { revokeOrganizationToken } from '#domain/api/contract.ts';
import type { ApiScope } from '#domain/api/scopes.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall } from '#domain/calls/contract.ts';
import { mintEmbedToken, updateEmbedding } from '#domain/embedding/contract.ts';
import { archiveRoom, createRoom, renewGuestLink } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { endExpired } from '#server/calls/follow-revocations.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { countAdmissions } from '#server/testing/count-admissions.ts';
import { enter, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { organizationToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { bothOn, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { forgetEmbedTokens } from './jobs.ts';

const { pagesDir, remove } = emptyPages('<head></head>');
let app: TestApp;
let http: FastifyInstance;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp();
  http = await buildApp(app.services, { pagesDir });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
  await ada.call(startCall, { body: { roomId: id } });
});
afterAll(async () => {
  await http.close();
  await app.close();
  remove();
});

const mint = async (more = {}, room = id) =>
  (await ada.call(mintEmbedToken, { params: { id: room }, body: { displayName: 'Bo', ...more } }))
    .token;
const open = (token: string, room = id) => http.inject({ url: `/embed/${room}/${token}` });
const bootOf = (page: string) =>
  JSON.parse(/id="boot">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null') as {
    kind: string;
    code?: string;
    name?: string;
    meetingToken: string;
  };
const meetingTokenOf = async (more = {}) =>
  bootOf((await open(await mint(more))).payload).meetingToken;
const host = async () => enter(url, await staffTokenOf(ada, id));
const refusal = async (page: ReturnType<typeof open>) => {
  const { statusCode, payload } = await page;
  return [statusCode, bootOf(payload).code];
};

test('a token opens the call once, for ten minutes, as a guest with the given name and no other', async () => {
  const { token, expiresAt } = await ada.call(mintEmbedToken, {
    params: { id },
    body: { displayName: '  Bo\u202e Marsh ', admitted: true },
  });
  const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThanOrEqual(10);
  // No page is shown for it, so it does not count.
  await http.inject({ method: 'HEAD', url: `/embed/${id}/${token}` });
  const pages = await Promise.all(Array.from({ length: 5 }, () => open(token)));
  const boots = pages.map(({ payload }) => bootOf(payload));
  const [first, ...others] = boots.filter(({ kind }) => kind === 'guest');
  expect(others).toEqual([]);
  expect(first?.name).toBe('Bo Marsh');
  expect(boots.filter(({ code }) => code === 'embed_token_used').length).toBe(4);

  const adas = await host();
  await enter(url, first?.meetingToken ?? '', { name: 'The CEO' });
  await adas.until('joined', ({ participant }) => participant.name === 'Bo Marsh');
});

test('a token leads nowhere else: not to another room or organization, and not once it or the link has ended', async () => {
  const other = (await ada.call(createRoom, { body: { topic: 'Other' } })).id;
  const eve = await newOrganization(app);
  const eves = (await eve.call(createRoom, { body: { topic: 'Eve' } })).id;
  const token = await mint();
  expect(await refusal(open(token, other))).toEqual([404, 'not_found']);
  expect(await refusal(open(token, eves))).toEqual([404, 'not_found']);
  expect(await refusal(open(`${token.slice(0, -2)}AA`))).toEqual([404, 'not_found']);
  expect(await refusal(open(token, 'made-up'))).toEqual([404, 'not_found']);
  expect(
    await eve.send('POST', `/api/rooms/${id}/embed-tokens`, { displayName: 'Bo' }),
  ).toMatchObject({ status: 404 });

  const old = await mint();
  await app.owner.query(
    `update embed_tokens set expires_at = now() where name = 'Bo' and org_id = $1`,
    [ada.user.orgId],
  );
  expect(await refusal(open(old))).toEqual([410, 'embed_token_expired']);
  const replaced = await mint();
  await ada.call(renewGuestLink, { params: { id } });
  expect(await refusal(open(replaced))).toEqual([410, 'guest_link_renewed']);
  const archived = await mint({}, other);
  await ada.call(archiveRoom, { params: { id: other } });
  expect(await refusal(open(archived, other))).toEqual([410, 'room_archived']);
  const again = await ada.send('POST', `/api/rooms/${other}/embed-tokens`, { displayName: 'Bo' });
  expect(again).toMatchObject({ status: 409, body: { code: 'room_archived' } });
});

test('staff make tokens for names that people can read; others and overlong names are refused', async () => {
  const post = (body: object, person: Visitor = ada) =>
    person.send('POST', `/api/rooms/${id}/embed-tokens`, body);
  const message = 'Enter a display name of at most 80 characters';
  for (const displayName of ['x'.repeat(10_000), ' ', undefined])
    expect(await post({ displayName })).toMatchObject({ status: 400, body: { message } });
  expect(await post({ displayName: 'Bo', role: 'host' })).toMatchObject({ status: 400 });
  const viewer = await newMember(app, ada, 'VIEWER');
  expect(await post({ displayName: 'Bo' }, viewer)).toMatchObject({ status: 403 });
  expect(await post({ displayName: 'Bo' }, new Visitor(app))).toMatchObject({ status: 401 });
});

test('admitted people join without asking, others wait; a locked call is closed to both', async () => {
  const adas = await host();
  const waiting = await hello(url, await meetingTokenOf());
  expect(await waiting.until('waiting')).toMatchObject({ mustAsk: true });
  // The name that the host sees in the lobby is the product's, too.
  waiting.send({ type: 'join', name: 'The CEO', media: bothOn });
  await adas.until('lobby', ({ guests }) => guests[0]?.name === 'Bo');
  await enter(url, await meetingTokenOf({ displayName: 'Cleo', admitted: true }));
  await adas.until('joined', ({ participant }) => participant.name === 'Cleo');
  const late = await meetingTokenOf({ admitted: true });
  adas.send({ type: 'lock', locked: true });
  await adas.until('call-changed', ({ call }) => call?.locked === true);
  expect(await refusedHello(url, { token: late, media: bothOn })).toBe(closeCodes.locked);
});

test('a person whom a host removed stays out with the next token, without a cookie', async () => {
  const adas = await host();
  const person = { externalId: 'user-17', admitted: true };
  const bo = await enter(url, await meetingTokenOf(person));
  await adas.until('joined', ({ participant }) => participant.id === bo.id);
  adas.send({ type: 'remove', to: bo.id });
  expect(await bo.closed).toBe(closeCodes.removed);
  // As if the person had been removed before the attendance was stored.
  await app.owner.query('delete from attendances where id = $1', [bo.id]);
  const again = await meetingTokenOf(person);
  expect(await refusedHello(url, { token: again, media: bothOn })).toBe(closeCodes.removed);
  const { rows } = await app.owner.query('select * from embed_tokens where org_id = $1', [
    ada.user.orgId,
  ]);
  expect(JSON.stringify(rows)).not.toContain('user-17');
});

test('R17-3: after a removal, nobody whom the product does not name joins without asking', async () => {
  const adas = await host();
  const bo = await enter(url, await meetingTokenOf({ admitted: true }));
  await adas.until('joined', ({ participant }) => participant.id === bo.id);
  adas.send({ type: 'remove', to: bo.id });
  expect(await bo.closed).toBe(closeCodes.removed);
  const again = await hello(url, await meetingTokenOf({ admitted: true }));
  expect(await again.until('waiting')).toMatchObject({ mustAsk: true });
  const cleo = { displayName: 'Cleo', externalId: 'user-18', admitted: true };
  await enter(url, await meetingTokenOf(cleo));
  await adas.until('joined', ({ participant }) => participant.name === 'Cleo');
});

test('the page of a token, used or not, may be framed by the listed sites alone, which it is told', async () => {
  const shop = 'https://shop.example';
  await ada.call(updateEmbedding, { body: { origins: [shop] } });
  const token = await mint();
  const listed = async () => (await http.inject({ url: `/api/embedding/origins/${token}` })).json();
  for (const code of [undefined, 'embed_token_used']) {
    const { headers, payload } = await open(token);
    expect(bootOf(payload).code).toBe(code);
    expect(headers['content-security-policy']).toContain(`frame-ancestors 'self' ${shop}`);
    expect(payload).toContain(`<meta name="embedders" content="${shop}" />`);
    expect(await listed()).toEqual({ origins: [shop] });
  }
  await ada.call(updateEmbedding, { body: { origins: [] } });
  expect(await listed()).toEqual({ origins: [] });
  const { headers, payload } = await open(await mint());
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self';");
  expect(payload).not.toContain('embedders');
  const forged = await http.inject({ url: '/api/embedding/origins/made-up' });
  expect(forged.statusCode).toBe(404);
});

test('a program makes tokens by an API token with the scope for it, and its people need no host', async () => {
  const post = async (scope: ApiScope, room = id) => {
    const { token } = await organizationToken(ada, [scope]);
    const body = { displayName: 'Bo', admitted: true };
    return program(app, token)('POST', `/api/rooms/${room}/embed-tokens`, body);
  };
  const { status, body } = await post('rooms:embed');
  expect(status).toBe(201);
  const boot = bootOf((await open((body as { token: string }).token)).payload);
  const adas = await host();
  await enter(url, boot.meetingToken);
  await adas.until('joined', ({ participant }) => participant.name === 'Bo');
  expect(await post('rooms:write')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  const eve = await newOrganization(app);
  const eves = (await eve.call(createRoom, { body: { topic: 'Eve' } })).id;
  expect(await post('rooms:embed', eves)).toMatchObject({ status: 404 });
});

test('names are deleted an hour after their tokens expire', async () => {
  await mint();
  const count = async () => {
    const { rows } = await app.owner.query('select from embed_tokens where org_id = $1', [
      ada.user.orgId,
    ]);
    return rows.length;
  };
  await forgetEmbedTokens(app.services.database, new Date(Date.now() + 65 * 60_000));
  expect(await count()).toBe(1);
  await forgetEmbedTokens(app.services.database, new Date(Date.now() + 75 * 60_000));
  expect(await count()).toBe(0);
});

test('R24-A2: erasing a guest erases the name in tokens, too', async () => {
  await mint({ displayName: 'Marsh' });
  await meetingTokenOf({ displayName: 'Dora' });
  const reply = await ada.send('POST', '/api/privacy/erase', { guest: 'MARSH' });
  expect(reply).toMatchObject({ status: 200, body: { erased: 1 } });
  const { rows } = await app.owner.query('select name from embed_tokens where org_id = $1', [
    ada.user.orgId,
  ]);
  expect(rows).toEqual([{ name: 'Dora' }]);
});

/** Returns the embed token of a guest whom a token of the API admits. */
async function admittedBy(token: string, displayName: string, room = id): Promise<string> {
  const body = { displayName, admitted: true };
  const reply = await program(app, token)('POST', `/api/rooms/${room}/embed-tokens`, body);
  return (reply.body as { token: string }).token;
}

test('R29-A7: who waits in a room for its call goes when their token is revoked', async () => {
  const quiet = (await ada.call(createRoom, { body: { topic: 'Later', lobby: true } })).id;
  const { id: tokenId, token } = await organizationToken(ada, ['rooms:embed']);
  const embed = await admittedBy(token, 'Bo', quiet);
  const page = await enter(url, bootOf((await open(embed, quiet)).payload).meetingToken);
  await ada.call(revokeOrganizationToken, { params: { id: tokenId } });
  expect(await page.closed).toBe(1012);
});

test('R30-B1: the end of a token looks up those whom it has admitted, and no other guest', async () => {
  const { id: tokenId, token } = await organizationToken(ada, ['rooms:embed']);
  const embed = await admittedBy(token, 'Bo');
  const page = await enter(url, bootOf((await open(embed)).payload).meetingToken);
  for (const displayName of ['Cleo', 'Dan', 'Eve']) {
    await (await hello(url, await meetingTokenOf({ displayName }))).until('waiting');
  }
  const lookUps = countAdmissions(app);
  try {
    await ada.call(revokeOrganizationToken, { params: { id: tokenId } });
    await page.closed;
    expect(lookUps.count).toBe(1);
  } finally {
    vi.restoreAllMocks();
  }
});

test('R29-A7: whose token expires is looked up again', async () => {
  const { id: tokenId } = await organizationToken(ada, ['rooms:embed']);
  let lookedUp = 0;
  const person = { admitted: { claims: { kind: 'guest' }, admittedByToken: tokenId }, lookUps: 0 };
  const rooms = {
    everybody: () => [person],
    has: () => false,
    lookedUp: () => {
      lookedUp += 1;
    },
  };
  await endExpired(app.services, { rooms } as never);
  expect(lookedUp).toBe(0);
  await app.owner.query('update api_tokens set expires_at = now() where id = $1', [tokenId]);
  await endExpired(app.services, { rooms } as never);
  expect(lookedUp).toBe(1);
});

test('R27-A2: what a token of the API has made ends with it', async () => {
  const adas = await host();
  const { id: tokenId, token } = await organizationToken(ada, ['rooms:embed']);
  const post = (displayName: string) => admittedBy(token, displayName);
  const [unused, opened, entered] = [await post('Bo'), await post('Cleo'), await post('Dan')];
  const { meetingToken } = bootOf((await open(opened)).payload);
  await enter(url, bootOf((await open(entered)).payload).meetingToken);
  await adas.until('joined', ({ participant }) => participant.name === 'Dan');

  await ada.call(revokeOrganizationToken, { params: { id: tokenId } });
  expect(await refusal(open(unused))).toEqual([410, 'embed_token_expired']);
  const waiting = await hello(url, meetingToken);
  expect(await waiting.until('waiting')).toMatchObject({ mustAsk: true });
});
