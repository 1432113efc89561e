import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ScimToken } from '#domain/scim/contract.ts';
import {
  adoptScimToken,
  createScimToken,
  listScimTokens,
  rotateScimToken,
} from '#domain/scim/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let mal: Awaited<ReturnType<typeof newMember>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  mal = await newMember(app, ada, 'ORGADMIN');
});
afterAll(() => app.close());

const make = (expiresInDays: number | null = null) =>
  mal.call(createScimToken, { body: { name: 'Okta', expiresInDays } });
const works = async (token: string) =>
  (await new Directory(app, token).ask('GET', '/Users')).status === 200;
const remove = () => ada.call(removeUser, { params: { id: mal.user.id } });
const listed = async (id: string): Promise<ScimToken | undefined> =>
  (await ada.call(listScimTokens)).find((token) => token.id === id);
const daysLeft = ({ expiresAt }: Pick<ScimToken, 'expiresAt'>) =>
  expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
const passWeek = (id: string) =>
  app.owner.query(
    `update scim_tokens set expires_at = expires_at - interval '7 days' where id = $1`,
    [id],
  );

test('H9: the token of a removed admin is shown to the other admins, and expires after a week', async () => {
  const { id, token } = await make();
  expect((await listed(id))?.orphanOf).toBe(null);
  await remove();
  const orphan = await listed(id);
  expect(orphan?.orphanOf).toEqual({ name: `${mal.user.firstName} ${mal.user.lastName}` });
  expect(orphan && daysLeft(orphan)).toBe(7);
  expect(await works(token)).toBe(true);
  await passWeek(id);
  expect(await works(token)).toBe(false);
  expect(await ada.send('POST', `/api/scim-tokens/${id}/adopt`)).toMatchObject({ status: 404 });
});

test('an adopted token gets its former expiry back, and becomes an orphan again with its adopter', async () => {
  for (const life of [null, 3, 90] as const) {
    const { id } = await make(life === 3 ? 30 : life);
    if (life === 3) {
      const sql = `update scim_tokens set expires_at = now() + interval '3 days' where id = $1`;
      await app.owner.query(sql, [id]);
    }
    await ada.call(changeRole, { params: { userId: mal.user.id }, body: { role: 'AGENT' } });
    const orphan = await listed(id);
    expect(orphan && daysLeft(orphan)).toBe(life === 3 ? 3 : 7);
    const adopted = await ada.call(adoptScimToken, { params: { id } });
    expect([adopted.orphanOf, daysLeft(adopted)]).toEqual([null, life]);
    await ada.call(changeRole, { params: { userId: mal.user.id }, body: { role: 'ORGADMIN' } });
  }
  const { rows } = await app.owner.query(
    `select actor_id from audit_events where org_id = $1 and action = 'SCIM_TOKEN_ADOPTED'`,
    [ada.user.orgId],
  );
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ actor_id: ada.user.id })));
  await mal.call(changeRole, { params: { userId: ada.user.id }, body: { role: 'AGENT' } });
  const again = await mal.call(listScimTokens);
  expect(again.map(({ orphanOf }) => orphanOf?.name)).toEqual(
    Array.from({ length: 3 }, () => `${ada.user.firstName} ${ada.user.lastName}`),
  );
});

test('a token that replaces an orphan has the orphan’s original lifetime', async () => {
  const { id } = await make();
  await remove();
  const made = await ada.call(rotateScimToken, { params: { id }, body: { overlapHours: 0 } });
  expect([made.expiresAt, made.orphanOf]).toEqual([null, null]);
});

test('an admin who is removed in the meantime cannot create a token', async () => {
  await app.owner.query('begin');
  await app.owner.query('delete from memberships where account_id = $1', [mal.user.id]);
  const body = { name: 'Late', expiresInDays: null };
  const made = mal.send('POST', '/api/scim-tokens', body);
  await expect
    .poll(async () => {
      const { rows } = await app.services.database.connection('outside', ({ query }) =>
        query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`,
          [],
        ),
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
  await app.owner.query('commit');
  expect((await made).status).toBe(403);
  expect(await ada.call(listScimTokens)).toEqual([]);
});

test('only admins of the organization can adopt a token, and only an orphan', async () => {
  const { id } = await make();
  const adopt = (by: typeof ada) => by.send('POST', `/api/scim-tokens/${id}/adopt`);
  expect((await adopt(ada)).status).toBe(404);
  const [eve, agent] = [await newOrganization(app), await newMember(app, ada, 'AGENT')];
  await remove();
  expect((await adopt(eve)).status).toBe(404);
  expect((await adopt(agent)).status).toBe(403);
  expect((await adopt(ada)).status).toBe(200);
});

test('R8-4: an orphan that was replaced cannot be adopted', async () => {
  const { id } = await make();
  await remove();
  await ada.call(rotateScimToken, { params: { id }, body: { overlapHours: 1 } });
  expect(await ada.send('POST', `/api/scim-tokens/${id}/adopt`)).toMatchObject({ status: 404 });
});
