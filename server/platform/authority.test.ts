import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listSessions } from '#domain/profile/contract.ts';
import { allContracts, ofTenants } from '#server/testing/contracts.ts';
import { unusedCrm } from '#server/testing/crm-things.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { fakeBilling, storeCustomer } from '#server/testing/fake-billing.ts';
import { fresh, furnish } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf, type Things } from '#server/testing/requests.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';

/**
 * Checks the authority of transactions that had to wait. Here each waits for the audit log, which
 * all of them write to. In production, a host that answers slowly or the lock of a removal delays
 * them as well.
 */
let app: TestApp;
let admin: Awaited<ReturnType<typeof newOrganization>>;
let things: Things;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '100', ...unusedCrm }, { billing: fakeBilling() });
  admin = await newOrganization(app);
  await app.owner.query("update organizations set plan = 'enterprise'");
  await storeCustomer(app, admin.user.orgId);
  things = await furnish(app, admin);
});
afterAll(() => app.close());

const log = 'lock table audit_events in exclusive mode';

/** @returns a function that releases the lock which the statement takes */
async function hold(sql: string, ...values: unknown[]) {
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query(sql, values);
  return async (last?: string, ...more: unknown[]): Promise<void> => {
    if (last) await client.query(last, more);
    await client.query('commit');
    await client.end();
  };
}

/** Returns whether the request waits for a lock before it is answered. */
async function waits(reply: Promise<unknown>): Promise<boolean> {
  let isAnswered = false;
  const note = () => {
    isAnswered = true;
  };
  reply.then(note, note);
  for (;;) {
    const { rows } = await app.owner.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return true;
    if (isAnswered) return false;
  }
}

/** Sends the request, runs `happens` while its transaction waits, and returns the answer. */
async function meanwhile<T>(
  send: () => Promise<T>,
  happens: () => Promise<unknown>,
  lock: [sql: string, ...values: unknown[]] = [log],
): Promise<T> {
  const release = await hold(...lock);
  const reply = send();
  try {
    expect(await waits(reply)).toBe(true);
    await happens();
  } finally {
    await release();
  }
  return reply;
}

const endSessions = (visitor: { user: { id: string } }) =>
  app.owner.query('delete from sessions where account_id = $1', [visitor.user.id]);
const events = async () =>
  (await app.owner.query('select count(*)::int as n from audit_events')).rows[0]?.n;

const changes = ofTenants(await allContracts())
  .filter(({ method }) => method !== 'GET')
  .map((contract) => ({ name: `${contract.method} ${contract.path}`, contract }));
/** Endpoints whose request changed nothing. */
const unheld: string[] = [];

test.each(changes)(
  '$name stores nothing once the session of its sender has ended',
  async ({ name, contract }) => {
    const sender = await newMember(app, admin, 'ORGADMIN');
    const request = requestOf(contract, {
      ...things,
      ...(await fresh(app, admin, contract)),
    });
    const before = await events();
    const release = await hold(log);
    const reply = sender.send(request.method, request.url, request.body);
    const isHeld = await waits(reply);
    if (isHeld) await endSessions(sender);
    await release();
    const { status } = await reply;
    if (!isHeld) unheld.push(`${name} ${status}`);
    else expect([status, await events()]).toEqual([401, before]);
  },
);

test('all endpoints that change data were tested', () => {
  expect(unheld.sort()).toEqual([
    'DELETE /api/calendar-feed 204',
    'DELETE /api/calls/:id/legal-hold 204',
    'DELETE /api/calls/:id/recording 204',
    'DELETE /api/calls/:id/recording/people/:participantId 204',
    'DELETE /api/organizations/:orgId/deletion 204',
    'DELETE /api/organizations/:orgId/logo 200',
    'DELETE /api/playbooks/:id/archive 200',
    'DELETE /api/rooms/:id/archive 200',
    'DELETE /api/samples 204',
    'DELETE /api/speech-models/:name 404',
    'POST /api/billing/plan-change/preview 200',
    'POST /api/calls/:id/analysis 200',
    'POST /api/calls/:id/insights 200',
    'POST /api/calls/:id/recording/retry 204',
    'POST /api/crm-authorizations 201',
    'POST /api/crm-connections 400',
    'POST /api/crm-connections/:id/preview 200',
    'PUT /api/getting-started 204',
    'PUT /api/sign-in-policy 200',
    'PUT /api/speech-models/:name 404',
    'PUT /api/sso/policy 200',
  ]);
});

describe('a person', () => {
  const giveRole = (role: string, { user }: { user: { id: string } }) =>
    app.owner.query('update memberships set role = $2 where account_id = $1', [user.id, role]);
  let days = 30;
  const updateRetention = (visitor: Visitor) => {
    days += 1;
    return visitor.send('PUT', '/api/privacy/retention', { chats: days });
  };

  test('whose role lost the permission meanwhile stores nothing', async () => {
    const sender = await newMember(app, admin, 'ORGADMIN');
    const send = () => updateRetention(sender);
    const reply = await meanwhile(send, () => giveRole('AGENT', sender));
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('whose new role still has the permission is not refused', async () => {
    const sender = await newMember(app, admin, 'ORGADMIN');
    const send = () => sender.send('POST', '/api/rooms', { topic: 'Held' });
    expect((await meanwhile(send, () => giveRole('AGENT', sender))).status).toBe(201);
  });

  test('who was a super admin when the request began must still be one at commit', async () => {
    const sender = await newMember(app, admin, 'SUPERADMIN');
    const send = () => updateRetention(sender);
    const reply = await meanwhile(send, () => giveRole('ORGADMIN', sender));
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('who left the organization while the session continues stores nothing there', async () => {
    const sender = await newMember(app, admin, 'ORGADMIN');
    const leave = async () => {
      const kept = `select set_config('app.kept_session', id::text, true) from sessions
        where account_id = $1`;
      const end = await hold(kept, sender.user.id);
      await end('delete from memberships where account_id = $1', sender.user.id);
    };
    const reply = await meanwhile(() => updateRetention(sender), leave);
    expect(reply).toMatchObject({ status: 403, body: { code: 'no_organization' } });
  });

  test('whose session has ended changes no profile and creates no organization', async () => {
    const sender = await newMember(app, admin, 'AGENT');
    const rename = () => sender.send('PUT', '/api/user', { firstName: 'Held' });
    expect((await meanwhile(rename, () => endSessions(sender))).status).toBe(401);
    const loner = await newMember(app, admin, 'AGENT');
    await app.owner.query('delete from memberships where account_id = $1', [loner.user.id]);
    await loner.send('POST', '/api/login', { email: loner.user.email, password: 'correct horse' });
    const found = () => loner.send('POST', '/api/organizations', { name: 'Held' });
    expect((await meanwhile(found, () => endSessions(loner))).status).toBe(401);
  });

  /** Creates an admin who takes the role of a group, so that changing the group's role changes theirs. */
  async function inGroup() {
    const sender = await newMember(app, admin, 'ORGADMIN');
    const group = things['scim-groups'];
    await app.owner.query('update scim_groups set role = null where id = $1', [group]);
    await app.owner.query('delete from scim_group_members where group_id = $1', [group]);
    await app.owner.query(
      'insert into scim_group_members (org_id, group_id, account_id) values ($1, $2, $3)',
      [admin.user.orgId, group, sender.user.id],
    );
    const path = `/api/scim-groups/${group}/role`;
    return { sender, demote: () => sender.send('PUT', path, { role: 'VIEWER' }) };
  }

  test('who ends their own rights is not refused because of it', async () => {
    const { sender, demote } = await inGroup();
    expect(await demote()).toMatchObject({ status: 200 });
    expect(await updateRetention(sender)).toMatchObject({ status: 403 });
    const [session] = await sender.call(listSessions);
    const ended = await sender.send('DELETE', `/api/user/sessions/${session?.id}`);
    expect(ended).toMatchObject({ status: 204 });
    const leaver = await newMember(app, admin, 'ORGADMIN');
    const erased = await leaver.send('POST', '/api/privacy/erase', { userId: leaver.user.id });
    expect(erased).toMatchObject({ status: 200 });
  });

  test.each(['from the start on', 'from the middle on'])(
    'who ends their own rights after losing them, %s, stores nothing',
    async (when) => {
      const { sender, demote } = await inGroup();
      const admins = 'select 1 from memberships where account_id = $1 for update';
      const lock: [string, ...unknown[]] =
        when === 'from the start on' ? [admins, sender.user.id] : [log];
      const reply = await meanwhile(demote, () => endSessions(sender), lock);
      expect(reply.status).toBe(401);
    },
  );
});

describe('a SCIM token that was revoked while its request waited stores nothing', () => {
  const revoke = () =>
    app.owner.query('update scim_tokens set revoked_at = now() where org_id = $1', [
      admin.user.orgId,
    ]);
  const adding = (value: string) => patchOf({ op: 'add', path: 'members', value: [{ value }] });
  const requestsOf = (user: string, group: string) =>
    [
      ['POST', '/Users', { userName: 'held@directory.example' }],
      ['PATCH', `/Users/${user}`, patchOf({ op: 'replace', path: 'active', value: false })],
      ['DELETE', `/Users/${user}`, undefined],
      ['POST', '/Groups', { displayName: 'Held' }],
      ['PATCH', `/Groups/${group}`, adding(user)],
      ['DELETE', `/Groups/${group}`, undefined],
    ] as const;

  test('whatever the request, which is answered 401 in SCIM’s error format', async () => {
    for (const turn of requestsOf('', '').keys()) {
      await app.owner.query('delete from scim_tokens where org_id = $1', [admin.user.orgId]);
      const directory = await Directory.of(app, admin);
      const { id } = await directory.user(`user-${turn}@directory.example`);
      const group = await directory.group(`Group ${turn}`);
      const [method, path, body] = requestsOf(id, group)[turn] ?? ['GET', '/Users', undefined];
      const before = await events();
      const said = await meanwhile(() => directory.ask(method, path, body), revoke);
      expect({ path, ...said }).toMatchObject({ path, status: 401, body: { status: '401' } });
      expect(said.headers['www-authenticate']).toContain('Bearer');
      expect(await events()).toBe(before);
    }
  });

  test('and takes no account out of another organization', async () => {
    const squatter = await newOrganization(app);
    const { id } = squatter.user;
    const email = 'squatter@directory.example';
    const squat = 'update accounts set email = $2, email_verified_at = null where id = $1';
    await app.owner.query(squat, [id, email]);
    await app.owner.query('delete from scim_tokens where org_id = $1', [admin.user.orgId]);
    const directory = await Directory.of(app, admin);
    const send = () => directory.ask('POST', '/Users', { userName: email });
    const account: [string, ...unknown[]] = ['select 1 from accounts where id = $1 for update', id];
    expect(await meanwhile(send, revoke, account)).toMatchObject({ status: 401 });
    expect(await squatter.send('GET', '/api/user')).toMatchObject({
      status: 200,
      body: { orgId: squatter.user.orgId },
    });
  });
});
