import type { User } from '#domain/auth/contract.ts';
import type { Playbook } from '#domain/playbooks/contract.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { hashPassword } from '#server/auth/password.ts';
import { addMember, findAccountByEmail, registerAccount } from '#server/auth/store.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { createPlaybook } from '#server/playbooks/store.ts';
import { createRoom } from '#server/rooms/store.ts';
import type { Services } from '#server/services.ts';
import * as content from './demo-content.ts';
import { seedCalls } from './seed-calls.ts';

/**
 * Fills an empty installation with an organisation that looks lived in: three people, six rooms,
 * three playbooks, 200 calls over the 90 days before `now`. Does nothing where it was done before.
 */
export async function seedDemo(services: Services, now: Date): Promise<void> {
  const { database } = services;
  const [admin] = content.people;
  if (await findAccountByEmail(database, admin.email)) return;
  const users = await seedPeople(services);
  const [first] = users;
  const tenant = tenantFor(services, first);
  const playbooks: Playbook[] = [];
  for (const { title, description, items } of content.playbooks) {
    const checklistItems = items.map((text) => ({ text }));
    playbooks.push(await createPlaybook(tenant, { title, description, checklistItems }));
  }
  const rooms: Room[] = [];
  for (const { topic, playbook } of content.rooms) {
    const chosen = playbook === null ? undefined : playbooks[playbook]?.id;
    rooms.push(await createRoom(tenant, { topic, playbookId: chosen }));
  }
  await seedCalls(tenant, { users, rooms, playbooks, now });
}

async function seedPeople({ database }: Services): Promise<[User, ...User[]]> {
  const passwordHash = await hashPassword(content.password);
  const [admin, ...others] = content.people;
  const orgName = content.organizationName;
  const first = await registerAccount(database, { ...admin, passwordHash, orgName }, null);
  const users: [User, ...User[]] = [first];
  for (const person of others) {
    const { orgId } = first;
    if (orgId === null) break;
    users.push(await addMember(database, { ...person, passwordHash, orgId }));
  }
  return users;
}

function tenantFor({ database }: Services, { id, orgId, role }: User): Tenant {
  if (orgId === null || role === null) throw new Error('the demo’s admin has an organisation');
  return tenantOf(database, { kind: 'user', accountId: id, orgId, role }, null);
}
