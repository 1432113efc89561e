import type { User } from '#domain/auth/contract.ts';
import type { Playbook } from '#domain/playbooks/contract.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { hashPassword } from '#server/auth/password.ts';
import { addMember, findAccountByEmail, findUser, registerAccount } from '#server/auth/store.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import { createPlaybook } from '#server/playbooks/store.ts';
import { playbooks } from '#server/playbooks/tables.ts';
import { createRoom } from '#server/rooms/store.ts';
import { rooms } from '#server/rooms/tables.ts';
import type { Services } from '#server/services.ts';
import * as content from './demo-content.ts';
import { seedCalls } from './seed-calls.ts';

/**
 * Fills an empty installation with a realistic organization: three people, six rooms, three
 * playbooks, 200 calls over the 90 days before `now`. Does nothing if the demo exists.
 */
export async function seedDemo(services: Services, now: Date): Promise<void> {
  const { database } = services;
  const [admin] = content.people;
  if (await findAccountByEmail(database, admin.email)) return;
  const users = await seedPeople(services);
  const [first] = users;
  const tenant = tenantFor(services, first);
  const made: { playbooks: Playbook[]; rooms: Room[] } = { playbooks: [], rooms: [] };
  for (const { title, description, items } of content.playbooks) {
    const checklistItems = items.map((text) => ({ text }));
    made.playbooks.push(await createPlaybook(tenant, { title, description, checklistItems }));
  }
  for (const { topic, playbook } of content.rooms) {
    const chosen = playbook === null ? undefined : made.playbooks[playbook]?.id;
    made.rooms.push(await createRoom(tenant, { topic, playbookId: chosen }));
  }
  await seedCalls(tenant, { users, ...made, now });
  await backdate(tenant, new Date(now.getTime() - 95 * 86_400_000));
}

/** The stores set the current time as creation time, but the demo's rooms are older than their calls. */
async function backdate(tenant: Tenant, createdAt: Date): Promise<void> {
  await tenant.transaction(async (tx) => {
    for (const table of [rooms, playbooks]) {
      await tx.db.update(table).set({ createdAt }).where(eq(table.orgId, tenant.orgId));
    }
  });
}

async function seedPeople({ database }: Services): Promise<[User, ...User[]]> {
  const passwordHash = await hashPassword(content.password);
  const [admin, ...others] = content.people;
  const orgName = content.organizationName;
  const id = await registerAccount(database, { ...admin, passwordHash, orgName }, null);
  const first = await findUser(database, id);
  if (!first || first.orgId === null) throw new Error('the demo’s admin has an organization');
  const users: [User, ...User[]] = [first];
  for (const { role, ...person } of others) {
    users.push(await addMember(database, first.orgId, role, { ...person, passwordHash }));
  }
  return users;
}

function tenantFor({ database }: Services, { id, orgId, role }: User): Tenant {
  if (orgId === null || role === null) throw new Error('the demo’s admin has an organization');
  return tenantOf(database, { kind: 'user', accountId: id, orgId, role }, null, 'seed');
}
