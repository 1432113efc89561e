import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const signIn = async (email: string) => {
  const visitor = new Visitor(app);
  await visitor.send('POST', '/api/login', { email, password: 'correct horse' });
  return visitor;
};
const statusOf = async (visitor: Visitor) => (await visitor.send('GET', '/api/user')).status;

test('an admin signs a member out everywhere, who may sign in again; the log says so', async () => {
  const admin = await newOrganization(app);
  const agent = await newMember(app, admin, 'AGENT');
  const phone = await signIn(agent.user.email);
  const url = `/api/users/${agent.user.id}/sessions`;
  expect(await admin.send('DELETE', url)).toMatchObject({ status: 204 });
  expect([await statusOf(agent), await statusOf(phone), await statusOf(admin)]).toEqual([
    401, 401, 200,
  ]);
  expect(await statusOf(await signIn(agent.user.email))).toBe(200);
  const { rows } = await app.owner.query(
    `select actor_id, entity_id from audit_events where org_id = $1 and action = 'SESSIONS_REMOVED'`,
    [admin.user.orgId],
  );
  expect(rows).toEqual([{ actor_id: admin.user.id, entity_id: agent.user.id }]);
});

test('nobody but admins signs others out, not in another organisation, and no super admin', async () => {
  const [admin, eve] = [await newOrganization(app), await newOrganization(app)];
  const agent = await newMember(app, admin, 'AGENT');
  const operator = await newMember(app, admin, 'SUPERADMIN');
  const end = (by: Visitor, of: { user: { id: string } }) =>
    by.send('DELETE', `/api/users/${of.user.id}/sessions`);
  expect(await end(agent, admin)).toMatchObject({ status: 403 });
  expect(await end(eve, agent)).toMatchObject({ status: 404 });
  expect(await end(admin, operator)).toMatchObject({ status: 403 });
  expect([await statusOf(agent), await statusOf(admin), await statusOf(operator)]).toEqual([
    200, 200, 200,
  ]);
});
