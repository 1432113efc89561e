import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateSignInPolicy } from '#domain/two-factor/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { exportMember, exportSelf } from './export-person.ts';

const messages = 6000;
const longestChunk = 1_000_000;

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  await app.owner.query(
    `with a as (insert into attendances (id, org_id, call_id, kind, account_id, name)
        values (gen_random_uuid(), $1, $2, 'staff', $3, 'Ada') returning id)
      insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      select gen_random_uuid(), $1, $2, a.id, 'staff', 'Ada', repeat(md5(n::text), 62), n
      from a, generate_series(1, $4::int) n`,
    [ada.user.orgId, call.id, ada.user.id, messages],
  );
});
afterAll(() => app.close());

async function sessionOf({ user }: typeof ada): Promise<{ id: string }> {
  const { rows } = await app.owner.query('select id from sessions where account_id = $1', [
    user.id,
  ]);
  return rows[0];
}
const adasOwn = async (services: Services = app.services) =>
  exportSelf(services, { user: ada.user, session: await sessionOf(ada) }, '192.0.2.1');

test('B8: an export reads the next page only after the previous one was consumed, and has every row once', async () => {
  const { counts } = app.services.database;
  const chunks: string[] = [];
  const sentBefore: number[] = [];
  for await (const chunk of await adasOwn()) {
    sentBefore.push(counts.statements);
    chunks.push(String(chunk));
  }
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(longestChunk);
  const middle = sentBefore[Math.floor(sentBefore.length / 2)] ?? 0;
  expect(counts.statements - middle).toBeGreaterThan(20);
  const held = JSON.parse(chunks.join(''));
  const ids = new Set(held.chat_messages.map(({ id }: { id: string }) => id));
  expect([held.chat_messages.length, ids.size]).toEqual([messages, messages]);
});

test('B8: exports of one organization read one page at a time', async () => {
  const { database } = app.services;
  let reading = 0;
  let most = 0;
  const read: typeof database.connection = (tenant, use, options = {}) => {
    if (!options.through) return database.connection(tenant, use, options);
    const counted: typeof use = async (connection) => {
      reading += 1;
      most = Math.max(most, reading);
      return use(connection).finally(() => {
        reading -= 1;
      });
    };
    return database.connection(tenant, counted, options);
  };
  const watched = { ...app.services, database: { ...database, connection: read } };
  const files = [await adasOwn(watched), await adasOwn(watched), await adasOwn(watched)];
  await Promise.all(files.map(text));
  expect(most).toBe(1);
});

test.each([
  ['B8: an export ends when its reader’s membership ends', false],
  ['R24-A3: an export ends when a second factor comes to be required', true],
])('%s', async (_, isByFactor) => {
  await app.owner.query('update sessions set two_factors = true where account_id = $1', [
    ada.user.id,
  ]);
  const mal = await newMember(app, ada, 'ORGADMIN');
  const { id, orgId, role } = mal.user;
  if (!orgId || !role) throw new Error('a member has an organization and a role');
  const tenant = tenantOf(
    app.services.database,
    { kind: 'user', accountId: id, orgId, role },
    null,
    { session: await sessionOf(mal), permission: 'privacy.manage' },
  );
  let taken = '';
  const reading = async () => {
    for await (const chunk of await exportMember(app.services, tenant, ada.user.id)) {
      if (taken === '' && isByFactor)
        await ada.call(updateSignInPolicy, { body: { twoFactorRequired: true } });
      else if (taken === '') await ada.send('DELETE', `/api/users/${id}`);
      taken += chunk;
    }
  };
  await expect(reading()).rejects.toMatchObject({ code: expect.any(String) });
  expect(taken).not.toContain('audit_events');
  await app.owner.query('delete from sign_in_policies');
});

test('an export that waits for connections of its organization does not block the turns of others', async () => {
  const ben = await newOrganization(app);
  const { database } = app.services;
  const organizations = await Promise.all(Array.from({ length: 3 }, () => newOrganization(app)));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = organizations.flatMap(({ user: { id, orgId } }) =>
    orgId ? [0, 1].map(() => database.connection(orgId, () => released, { actorKey: id })) : [],
  );
  const waiting = organizations.map(async (one) =>
    text(
      await exportSelf(
        app.services,
        { user: one.user, session: await sessionOf(one) },
        '192.0.2.1',
      ),
    ),
  );
  const own = exportSelf(
    app.services,
    { user: ben.user, session: await sessionOf(ben) },
    '192.0.2.1',
  );
  try {
    expect(JSON.parse(await text(await own)).account).toMatchObject([{ email: ben.user.email }]);
  } finally {
    release();
  }
  await Promise.all([...held, ...waiting]);
});
