import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, type Reply, runningCall } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

// PostgreSQL grants a shared lock ahead of transactions that wait for an exclusive one. A client
// that keeps taking shared locks would keep the others waiting.

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ids: { rooms: string; calls: string; playbooks: string; organizations: string };
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  const { room, call, playbook } = await runningCall(ada);
  const organizations = ada.user.orgId ?? '';
  ids = { rooms: room.id, calls: call.id, playbooks: playbook.id, organizations };
});
afterAll(() => app.close());

const endCall = () =>
  ada.send('PUT', `/api/calls/${ids.calls}`, { endedAt: new Date().toISOString() });
const archive = (what: 'rooms' | 'playbooks') =>
  ada.send('PUT', `/api/${what}/${ids[what]}/archive`);

const changes: Record<keyof typeof ids, () => Promise<Reply>> = {
  calls: endCall,
  rooms: () => ada.send('PATCH', `/api/rooms/${ids.rooms}`, { topic: 'Another' }),
  playbooks: () => archive('playbooks'),
  organizations: () =>
    ada.send('PUT', `/api/organizations/${ids.organizations}`, {
      name: 'Ours',
      brandColor: '#123456',
      plan: 'starter',
    }),
};
test.each(Object.entries(changes))(
  'R4-9: a change of %s does not wait for rows that refer to it',
  async (table, change) => {
    await app.owner.query('begin');
    // Takes the lock that a referring row takes until its transaction ends.
    await app.owner.query(`select 1 from ${table} where id = $1 for key share`, [
      ids[table as keyof typeof ids],
    ]);
    const { status } = await change();
    await app.owner.query('rollback');
    expect(status).toBeLessThan(300);
  },
);

test.each(['rooms', 'playbooks'] as const)(
  'R4-9: uses of %s come after an archiving that waits for one of them',
  async (table) => {
    await endCall();
    const uses = {
      rooms: () => ada.send('POST', '/api/calls', { roomId: ids.rooms }),
      playbooks: () => ada.send('POST', '/api/rooms', { topic: 'New', playbookId: ids.playbooks }),
    };
    await app.owner.query('begin');
    await app.owner.query(`select 1 from ${table} where id = $1 for share`, [ids[table]]);
    const archiving = archive(table);
    await waitingForLocks(app, 1);
    const using = uses[table]();
    await Promise.race([using, waitingForLocks(app, 2)]);
    await app.owner.query('commit');
    expect((await archiving).status).toBe(200);
    expect(await using).toMatchObject({ status: 409 });
  },
);
