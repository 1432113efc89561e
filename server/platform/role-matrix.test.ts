import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#domain/auth/contract.ts';
import { permissions, type Role, roles } from '#domain/auth/permissions.ts';
import type { ToServer } from '#domain/calls/live.ts';
import { createScimToken } from '#domain/scim/contract.ts';
import { allContracts, ofTenants } from '#server/testing/contracts.ts';
import { enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf, unknownThings } from '#server/testing/requests.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, staffTokenOf } from '#server/testing/waiting-guest.ts';

/**
 * Authorization of callers without a role in the organization. The matrix of the four roles and all
 * endpoints is in tenant-wall.test.ts, from the same contracts. New endpoints and messages are
 * included automatically.
 */
const contracts = await allContracts();
const ofKind = (kind: 'public' | 'session') =>
  contracts.filter(({ permission }) => permission === kind);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

/** Returns the answer of each of these endpoints to the visitor. */
async function statusesOf(
  list: typeof contracts,
  visitor: Visitor,
  headers: Record<string, string> = {},
) {
  const found: Record<string, { status: number; code: unknown }> = {};
  for (const contract of list) {
    const { method, url: path, body } = requestOf(contract, unknownThings);
    const reply = await visitor.send(method, path, body, headers);
    const code = reply.body && typeof reply.body === 'object' && 'code' in reply.body;
    found[nameOf(contract)] = {
      status: reply.status,
      code: code ? (reply.body as { code: unknown }).code : undefined,
    };
  }
  return found;
}
const differing = (found: Awaited<ReturnType<typeof statusesOf>>, expected: object) =>
  Object.entries(found).filter(([, answer]) => JSON.stringify(answer) !== JSON.stringify(expected));

const notSignedIn = { status: 401, code: undefined };
const tokenRefused = { status: 401, code: 'invalid_token' };
const closed = () => contracts.filter(({ permission }) => permission !== 'public');

describe('every endpoint declares its permission', () => {
  test('the permission is public, session, or a row of the permission table', () => {
    const known = new Set(['public', 'session', ...Object.keys(permissions)]);
    expect(contracts.filter(({ permission }) => !known.has(permission)).map(nameOf)).toEqual([]);
    expect(contracts.length).toBeGreaterThan(50);
  });

  test('those that need no session are these, each on purpose', () => {
    expect(ofKind('public').map(nameOf).sort()).toEqual([
      'GET /api/embedding/origins/:token',
      'GET /api/invitations/:token',
      'GET /api/join/:token',
      'GET /api/join/:token/opening',
      'GET /api/shared-recordings/:token',
      'GET /api/verify-email/:token',
      'POST /api/contact',
      'POST /api/forgot-password',
      'POST /api/hosted-admissions',
      'POST /api/invitations/:token/accept',
      'POST /api/login',
      'POST /api/login/passkey',
      'POST /api/login/passkey/options',
      'POST /api/login/second-factor',
      'POST /api/logout',
      'POST /api/meetings/leave',
      'POST /api/recordings/segments',
      'POST /api/recordings/segments/:id/complete',
      'POST /api/register',
      'POST /api/reset-password/:token',
      'POST /api/sso/start',
      'POST /api/verify-email/:token',
    ]);
  });

  test('endpoints for any account, with or without an organization, affect only that account', () => {
    const elsewhere = ofKind('session').filter(
      (contract) => !/^\/api\/(user|auth\/user|organizations)(\/|$)/.test(contract.path),
    );
    expect(elsewhere.map(nameOf)).toEqual([]);
  });
});

describe('a caller without a role', () => {
  test('signed out: gets 401 everywhere but from public endpoints', async () => {
    expect(differing(await statusesOf(closed(), new Visitor(app)), notSignedIn)).toEqual([]);
  });

  test.each(['guest link', 'meeting token', 'SCIM token', 'made up'] as const)(
    'with a %s in place of a session: gets 401, as a cookie and as a bearer',
    async (kind) => {
      const guest = await guestTokenOf(app, ada, started.room.id);
      const tokens = {
        'guest link': guest,
        'meeting token': await staffTokenOf(ada, started.room.id),
        'SCIM token': (
          await ada.call(createScimToken, { body: { name: 'Okta', expiresInDays: 90 } })
        ).token,
        'made up': randomUUID(),
      };
      const visitor = new Visitor(app);
      const bearer = { authorization: `Bearer ${tokens[kind]}` };
      expect(differing(await statusesOf(closed(), visitor, bearer), tokenRefused)).toEqual([]);
      const cookie = { cookie: `rapport_session=${tokens[kind]}` };
      expect(differing(await statusesOf(closed(), visitor, cookie), notSignedIn)).toEqual([]);
    },
  );

  test('without an organization: gets 403 wherever an organization is reached', async () => {
    const loner = await newOrganization(app);
    await app.owner.query('delete from memberships where account_id = $1', [loner.user.id]);
    // The sessions ended together with the membership.
    await loner.call(login, { body: { email: loner.user.email, password: 'correct horse' } });
    const found = await statusesOf(ofTenants(contracts), loner);
    expect(differing(found, { status: 403, code: 'no_organization' })).toEqual([]);
    const own = await statusesOf(ofKind('session'), loner);
    expect(Object.values(own).filter(({ status }) => status === 401)).toEqual([]);
  });
});

/** Who may send which live message. A new type does not compile until it is added here. */
const messages = {
  check: 'staff',
  note: 'staff',
  mute: 'staff',
  remove: 'staff',
  lock: 'staff',
  admit: 'staff',
  refuse: 'staff',
  'tell-waiting': 'staff',
  capture: 'staff',
  consent: 'everybody',
  hello: 'token',
  ping: 'everybody',
  signal: 'everybody',
  watch: 'everybody',
  media: 'everybody',
  join: 'everybody',
  leave: 'everybody',
  chat: 'everybody',
  'chat-since': 'everybody',
  react: 'everybody',
  'notes-since': 'everybody',
  'media-lost': 'everybody',
} satisfies Record<ToServer['type'], 'staff' | 'token' | 'everybody'>;

type StaffMessage = {
  [T in keyof typeof messages]: (typeof messages)[T] extends 'staff' ? T : never;
}[keyof typeof messages];
const samples: { [T in StaffMessage]: Extract<ToServer, { type: T }> } = {
  check: { type: 'check', id: 'c', itemId: randomUUID(), checked: true },
  note: { type: 'note', id: 'n', update: 'AAA=' },
  mute: { type: 'mute', to: randomUUID() },
  remove: { type: 'remove', to: randomUUID() },
  lock: { type: 'lock', locked: false },
  admit: { type: 'admit', guests: [randomUUID()] },
  refuse: { type: 'refuse', guest: randomUUID() },
  'tell-waiting': { type: 'tell-waiting', guest: randomUUID(), text: 'Soon' },
  capture: { type: 'capture', id: 'c', kind: 'recording', running: true },
};
const ofPanel = new Set(['check', 'note']);

describe('live messages', () => {
  /** Returns the refusal of each staff message, by its type. */
  async function refusals(token: string, kinds = Object.values(samples)) {
    const found: Record<string, string | undefined> = {};
    for (const message of kinds) {
      const line = ofPanel.has(message.type)
        ? await enterPanel(url, token)
        : await enter(url, token, { name: 'Somebody' });
      line.send(message);
      await line.settled();
      found[message.type] = line.all('refused').at(-1)?.code;
      await line.drop();
    }
    return found;
  }

  test.each(roles)(
    'messages of %s are accepted or refused according to the permission table',
    async (role: Role) => {
      const member = await newMember(app, ada, role);
      const found = await refusals(await staffTokenOf(member, started.room.id));
      const refused = Object.values(found).filter((code) => code === 'forbidden');
      const mayEdit = (permissions['calls.update'] as readonly Role[]).includes(role);
      expect([role, refused.length]).toEqual([role, mayEdit ? 0 : Object.keys(samples).length]);
    },
  );

  test('a guest is refused each staff message, and gets no panel socket', async () => {
    const token = await guestTokenOf(app, ada, started.room.id);
    expect(await refusedHello(url, { token, channel: 'panel' })).toBe(4401);
    const ofMeeting = Object.values(samples).filter(({ type }) => !ofPanel.has(type));
    const found = await refusals(token, ofMeeting);
    expect(Object.keys(found).length).toBe(ofMeeting.length);
    expect(Object.entries(found).filter(([, code]) => code !== 'forbidden')).toEqual([]);
  });

  test.each(['', 'made up', 'eyJhbGciOiJub25lIn0.eyJraW5kIjoic3RhZmYifQ.'])(
    'without a valid token (%j) the WebSocket is refused',
    async (token) => {
      expect(await refusedHello(url, { token })).toBe(4401);
    },
  );
});
