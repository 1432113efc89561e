import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listScimTokens, revokeScimToken } from '#domain/scim/contract.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await openTestApp();
  port = Number(new URL(await app.listen()).port);
});
afterAll(() => app.close());

interface Held {
  method: 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Bytes of the body that are sent first. */
  first?: number;
}

/**
 * Sends the head of a request and a part of its body.
 * @returns a function that sends the rest and resolves with the status
 */
async function hold({ body: given, first = 5, ...head }: Held): Promise<() => Promise<number>> {
  const body = Buffer.from(given);
  const headers = { ...head.headers, 'content-length': body.length };
  const held = request({ host: '127.0.0.1', port, ...head, headers });
  const status = new Promise<number>((resolve, reject) => {
    held.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    held.once('error', reject);
  });
  await new Promise<void>((sent) => held.write(body.subarray(0, first), () => sent()));
  return () => {
    held.end(body.subarray(first));
    return status;
  };
}

const holdJson = (visitor: Visitor, path: string, body: object) =>
  hold({
    method: 'POST',
    path,
    headers: { cookie: visitor.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const playbook = { title: 'Held', checklistItems: [{ text: 'Greet' }] };
/** Waits until the server has read the head: it looks up the session before it reads a long body. */
const isRead = (visitor: Visitor & { user: { id: string } }) =>
  expect
    .poll(async () => {
      const { rows } = await app.owner.query(
        'select last_seen_at > created_at as seen from sessions where account_id = $1',
        [visitor.user.id],
      );
      return rows[0]?.seen;
    })
    .toBe(true);

/** Resets the session's last use, so that the next lookup records one. */
const forgetSeen = (visitor: { user: { id: string } }) =>
  app.owner.query(
    `update sessions set created_at = now() - interval '1 hour',
      last_seen_at = now() - interval '1 hour' where account_id = $1`,
    [visitor.user.id],
  );

test('a request whose body arrives after its sender was removed writes nothing', async () => {
  const admin = await newOrganization(app);
  const second = await newMember(app, admin, 'ORGADMIN');
  await forgetSeen(second);
  const finish = await holdJson(second, '/api/playbooks', playbook);
  await isRead(second);
  expect(await admin.send('DELETE', `/api/users/${second.user.id}`)).toMatchObject({ status: 204 });
  expect(await finish()).toBe(401);
  expect(await admin.send('GET', '/api/playbooks')).toMatchObject({ body: [] });
});

test('a request whose body arrives after a demotion is authorized by the new role', async () => {
  const admin = await newOrganization(app);
  const agent = await newMember(app, admin, 'AGENT');
  await forgetSeen(agent);
  const finish = await holdJson(agent, '/api/playbooks', playbook);
  await isRead(agent);
  const role = { role: 'VIEWER' };
  await admin.send('PUT', `/api/users/${agent.user.id}/role`, role);
  expect(await finish()).toBe(403);
});

test('A11: a logo whose file arrives after its admin was removed is not stored', async () => {
  const admin = await newOrganization(app);
  const second = await newMember(app, admin, 'ORGADMIN');
  await forgetSeen(second);
  const form = new Response(fileForm(smallPng));
  const finish = await hold({
    method: 'POST',
    path: `/api/organizations/${admin.user.orgId}/logo`,
    headers: { cookie: second.cookie, 'content-type': form.headers.get('content-type') ?? '' },
    body: Buffer.from(await form.arrayBuffer()),
    first: 200,
  });
  await isRead(second);
  expect(await admin.send('DELETE', `/api/users/${second.user.id}`)).toMatchObject({ status: 204 });
  expect(await finish()).toBe(401);
  const { rows } = await app.owner.query('select 1 from files where org_id = $1', [
    admin.user.orgId,
  ]);
  expect(rows).toEqual([]);
});

/**
 * Waits until the server has read the head of a request with this token, and so recorded the
 * token's use.
 */
const isTaken = (admin: { user: { orgId: string | null } }) =>
  expect
    .poll(async () => {
      const { rows } = await app.owner.query(
        "select last_used_at > now() - interval '1 minute' as used from scim_tokens where org_id = $1",
        [admin.user.orgId],
      );
      return rows[0]?.used;
    })
    .toBe(true);
const forgetUse = (admin: { user: { orgId: string | null } }) =>
  app.owner.query(
    "update scim_tokens set last_used_at = now() - interval '1 hour' where org_id = $1",
    [admin.user.orgId],
  );
async function revokeAll(admin: Visitor): Promise<void> {
  for (const { id } of await admin.call(listScimTokens)) {
    await admin.call(revokeScimToken, { params: { id } });
  }
}
const scimHead = (directory: Directory, path: string, method: Held['method']) => ({
  method,
  path: `/scim/v2${path}`,
  headers: {
    authorization: `Bearer ${directory.token}`,
    'content-type': 'application/scim+json',
  },
});

test('A7: SCIM requests whose bodies arrive after their token was revoked reactivate no one', async () => {
  const admin = await newOrganization(app);
  const directory = await Directory.of(app, admin);
  const person = await directory.user('mallory@directory.example');
  const group = await directory.group('Admins');
  await admin.send('PUT', `/api/scim-groups/${group}/role`, { role: 'ORGADMIN' });
  const bodies = {
    [`/Users/${person.id}`]: patchOf({ op: 'replace', path: 'active', value: true }),
    [`/Groups/${group}`]: patchOf({ op: 'add', path: 'members', value: [{ value: person.id }] }),
  };
  const finishing = [];
  for (const [path, body] of Object.entries(bodies)) {
    await forgetUse(admin);
    const head = scimHead(directory, path, 'PATCH');
    finishing.push(await hold({ ...head, body: JSON.stringify(body) }));
    await isTaken(admin);
  }
  await admin.send('DELETE', `/api/users/${person.id}`);
  await revokeAll(admin);
  const late = [];
  for (const finish of finishing) late.push(await finish());
  expect(late).toEqual([401, 401]);
  const { rows } = await app.owner.query('select 1 from memberships where account_id = $1', [
    person.id,
  ]);
  expect(rows).toEqual([]);
});

test('A7: a long SCIM body that waited for its turn is refused after the revocation', async () => {
  const admin = await newOrganization(app);
  const directory = await Directory.of(app, admin, 'turns.example');
  const body = (displayName: string) =>
    JSON.stringify({ displayName, padding: 'x'.repeat(80_000) });
  const head = scimHead(directory, '/Groups', 'POST');
  await forgetUse(admin);
  const first = await hold({ ...head, body: body('first'), first: 70_000 });
  await isTaken(admin);
  await forgetUse(admin);
  // This body is complete, and next in turn.
  const second = (await hold({ ...head, body: body('second'), first: 80_000 }))();
  await isTaken(admin);
  await revokeAll(admin);
  expect([await first(), await second]).toEqual([401, 401]);
  const { rows } = await app.owner.query('select 1 from scim_groups where org_id = $1', [
    admin.user.orgId,
  ]);
  expect(rows).toEqual([]);
});
