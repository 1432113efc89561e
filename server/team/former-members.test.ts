import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { listCalls } from '#domain/calls/contract.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R28-A10: an organization knows former members by the name and address that they had there', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const agent = await newMember(app, ada, 'AGENT');
  const { id } = agent.user;
  const room = await agent.call(createRoom, { body: { topic: 'Review' } });
  await runningCall(agent);
  const rename = (name: string) =>
    app.owner.query('update accounts set first_name = $2, email = $3 where id = $1', [
      ...[id, name, `${name.toLowerCase()}-${id}@example.com`],
    ]);
  await rename('Before');
  await ada.call(removeUser, { params: { id } });
  await app.owner.query(
    `insert into memberships (org_id, account_id, role) values ($1, $2, 'AGENT')`,
    [ben.user.orgId, id],
  );
  await rename('After');

  const seen = async (by: typeof ada) => {
    const events = await by.call(listAuditEvents);
    const actor = events.find(({ userId }) => userId === id)?.actor;
    return {
      room: (await by.call(openRoom, { params: { id: room.id } })).createdBy,
      call: (await by.call(listCalls)).find((call) => call.agent?.id === id)?.agent?.name,
      actor: actor?.name,
    };
  };
  const lastName = agent.user.lastName;
  expect(await seen(ada)).toEqual({
    room: { firstName: 'Before', email: `before-${id}@example.com` },
    call: `Before ${lastName}`,
    actor: `Before ${lastName}`,
  });

  // Where they are a member, they have the name that they use.
  await app.owner.query('delete from memberships where account_id = $1', [id]);
  await app.owner.query(
    `insert into memberships (org_id, account_id, role) values ($1, $2, 'AGENT')`,
    [ada.user.orgId, id],
  );
  expect((await seen(ada)).room).toEqual({ firstName: 'After', email: `after-${id}@example.com` });
});
