import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteUser, joinByInvitation } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;

async function invite(admin: Visitor, { user }: Pick<Person, 'user'>) {
  const body = { email: user.email, role: 'AGENT' as const };
  const { id, url } = await admin.call(inviteUser, { body });
  return { id, token: url.split('/').at(-1) };
}
const join = (person: Visitor, invitation: string | undefined) =>
  person.send('POST', joinByInvitation.path, { invitation, leaveOrganization: true });
/** What the organization knows of a member who leaves, and of its own end. */
const stateOf = async ({ user }: Pick<Person, 'user'>) => {
  const { rows } = await app.owner.query(
    `select m.org_id, m.role, r.archived_at, d.due_at,
        (select count(*)::int from audit_events e where e.org_id = $2 and action = 'MEMBER_LEFT') as left,
        (select count(*)::int from mails where recipient = $3 and kind <> 'invitation') as mails
      from memberships m
      left join rooms r on r.org_id = m.org_id and r.personal_of = m.account_id
      left join organization_deletions d on d.org_id = $2
      where m.account_id = $1`,
    [user.id, user.orgId, user.email],
  );
  return rows;
};
const over: Record<string, string> = {
  canceled: 'update invitations set cancelled_at = now() where id = $1',
  used: 'update invitations set accepted_at = now() where id = $1',
  deleted: 'delete from invitations where id = $1',
};

test.each(Object.entries(over))(
  'R6-11: a person keeps their organization where the invitation is %s while they join',
  async (_, statement) => {
    const admin = await newOrganization(app);
    const solo = await newOrganization(app);
    const member = await newMember(app, await newOrganization(app), 'AGENT');
    for (const person of [solo, member]) {
      const { id, token } = await invite(admin, person);
      const before = await stateOf(person);
      await app.owner.query('begin');
      await app.owner.query(statement, [id]);
      let isAnswered = false;
      const joining = join(person, token).finally(() => {
        isAnswered = true;
      });
      // It waits for the invitation, for half a second at most.
      const waits = async () => isAnswered || (await lockWaiters(app)) > 0;
      await expect.poll(waits, { timeout: 10_000 }).toBe(true);
      await app.owner.query('commit');
      expect((await joining).status).toBeGreaterThanOrEqual(400);
      expect(before).toHaveLength(1);
      expect(await stateOf(person)).toEqual(before);
      expect(await person.send('GET', '/api/rooms')).toMatchObject({ status: 200 });
    }
  },
);

test('two people who change places at the same time never end up without an organization', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const [hers, his] = [await invite(ben, ada), await invite(ada, ben)];
  await Promise.all([join(ada, hers.token), join(ben, his.token)]);
  for (const person of [ada, ben]) expect(await stateOf(person)).toHaveLength(1);
});
