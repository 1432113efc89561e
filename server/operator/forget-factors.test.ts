import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmTwoFactor, startTwoFactor } from '#domain/two-factor/contract.ts';
import type { Database } from '#server/platform/database.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { forgetFactors } from './forget-factors.ts';

let app: TestApp;
/** The owner's connection, as on the operator's command line. */
let database: Database;
beforeAll(async () => {
  app = await openTestApp();
  database = app.openOwnerDatabase();
});
afterAll(async () => {
  await database.close();
  await app.close();
});

const url = 'https://calls.example.com';
const run = (email: string, answer: boolean, asked: string[] = []) =>
  forgetFactors(database, email, url, async (question) => {
    asked.push(question);
    return answer;
  });

async function withFactors() {
  const ada = await newOrganization(app);
  const { secret } = await ada.call(startTwoFactor);
  await ada.call(confirmTwoFactor, { body: { code: generateSync({ secret }) } });
  await app.owner.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
     values (gen_random_uuid(), $1, $2, '', 0, '{}', 'Laptop', false)`,
    [ada.user.id, `key of ${ada.user.id}`],
  );
  return ada;
}
const login = (email: string) =>
  new Visitor(app).send('POST', '/api/login', { email, password: 'correct horse' });
const events = async (org: string | null) =>
  (
    await app.owner.query(
      `select actor_kind, entity, entity_id, metadata from audit_events
       where org_id = $1 and action = 'FACTORS_REMOVED'`,
      [org],
    )
  ).rows;

test('after losing phone and codes, the owner signs in by password alone, other sessions end, and a mail is sent', async () => {
  const ada = await withFactors();
  const asked: string[] = [];
  expect(await run(` ${ada.user.email.toUpperCase()}`, true, asked)).toContain('password alone');
  expect(asked).toEqual([
    expect.stringMatching(/authenticator app with its recovery codes and a passkey.*Are you sure/),
  ]);
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await login(ada.user.email)).toMatchObject({ status: 200 });
  for (const table of ['totp_factors', 'recovery_codes', 'passkeys']) {
    const { rows } = await app.owner.query(`select 1 from ${table} where account_id = $1`, [
      ada.user.id,
    ]);
    expect([table, rows]).toEqual([table, []]);
  }
  expect(await events(ada.user.orgId)).toEqual([
    { actor_kind: 'system', entity: 'account', entity_id: ada.user.id, metadata: null },
  ]);
  const { rows: mails } = await app.owner.query('select * from mails where recipient = $1', [
    ada.user.email,
  ]);
  expect(JSON.stringify(mails)).toContain('Two-factor sign-in for your Rapport account');
});

test('declining, or an account without factors, changes nothing', async () => {
  const ada = await withFactors();
  expect(await run(ada.user.email, false)).toBe('Nothing was changed.');
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 200 });
  expect(await login(ada.user.email)).toMatchObject({ body: { code: 'second_factor_required' } });
  const bo = await newOrganization(app);
  const asked: string[] = [];
  expect(await run(bo.user.email, true, asked)).toContain('nothing was changed');
  expect(asked).toEqual([]);
  expect(await bo.send('GET', '/api/user')).toMatchObject({ status: 200 });
  for (const { user } of [ada, bo]) expect(await events(user.orgId)).toEqual([]);
  await expect(run('nobody@example.com', true)).rejects.toThrow(/Nobody has/);
});

test('forget-factors works for an account without an organization', async () => {
  const ada = await withFactors();
  await app.owner.query('delete from memberships where account_id = $1', [ada.user.id]);
  expect(await run(ada.user.email, true)).toContain('password alone');
  expect(await login(ada.user.email)).toMatchObject({ status: 200 });
});
