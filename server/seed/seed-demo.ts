import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from '#domain/auth/contract.ts';
import { accountId, playbookId, roomId } from '#domain/ids.ts';
import { englishTemplates } from '#domain/playbooks/templates/english.ts';
import { hashPassword } from '#server/auth/password.ts';
import { findAccountByEmail, findUser, insertMember, registerAccount } from '#server/auth/store.ts';
import { setLogo } from '#server/organizations/logo-store.ts';
import { organizations } from '#server/organizations/tables.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { insertItems } from '#server/playbooks/store.ts';
import { playbooks } from '#server/playbooks/tables.ts';
import { rooms } from '#server/rooms/tables.ts';
import type { Services } from '#server/services.ts';
import { invite } from '#server/team/invitation-store.ts';
import * as content from './demo-content.ts';
import { customers, type DemoCustomer } from './demo-customers.ts';
import { startDemoCall } from './running-call.ts';
import { type DemoRoom, seedCalls } from './seed-calls.ts';
import { seedEvents } from './seed-events.ts';

const logo = join(import.meta.dirname, 'demo-logo.png');
const dayMs = 86_400_000;
const daysOfWork = 95;

/**
 * Fills an empty installation with a lived-in organization: its brand, four people and one invited, seven customers
 * with their rooms and playbooks, 200 calls over the 90 days before `now`, and the audit log of that time.
 * Does nothing if the demo exists.
 */
export async function seedDemo(services: Services, now: Date): Promise<void> {
  const { database } = services;
  const [admin] = content.people;
  if (await findAccountByEmail(database, admin.email)) return;
  const users = await seedPeople(services);
  const [first] = users;
  const tenant = tenantFor(services, first);
  const since = new Date(now.getTime() - daysOfWork * dayMs);
  await seedBrand(services, tenant, since);
  const made = await tenant.transaction(async (tx) => {
    const all: DemoRoom[] = [];
    for (const customer of customers) all.push(await insertRoom(tx, customer, first, since));
    return all;
  });
  const hosts = users.filter(({ role }) => role !== 'VIEWER');
  await seedCalls(tenant, { hosts, rooms: made, now });
  await seedEvents(tenant, { rooms: made, users, since });
  await invite(tenant, content.invited, linksOf(services), services.config);
}

/** Begins the call that is running whenever the demo is looked at, unless it is. */
export async function resumeDemoCall(services: Services): Promise<void> {
  const account = await findAccountByEmail(services.database, content.people[1].email);
  const host = account && (await findUser(services.database, account.id));
  if (!host) return;
  const tenant = tenantFor(services, host);
  const [room] = await tenant.connection(({ db }) =>
    db
      .select({ id: rooms.id, playbookId: rooms.playbookId })
      .from(rooms)
      .where(and(eq(rooms.topic, 'Juniper Clinics – onboarding'), isNull(rooms.archivedAt))),
  );
  if (room) await startDemoCall(tenant, room, host, 'Kenji Mori');
}

async function seedBrand(services: Services, tenant: Tenant, createdAt: Date): Promise<void> {
  const { brandColor } = content;
  await tenant.transaction(({ db }) =>
    db
      .update(organizations)
      .set({ brandColor, createdAt })
      .where(eq(organizations.id, tenant.orgId)),
  );
  await setLogo(tenant, services.files, await readFile(logo));
}

async function insertRoom(
  tx: TenantConnection,
  customer: DemoCustomer,
  by: User,
  createdAt: Date,
): Promise<DemoRoom> {
  const { orgId } = tx.tenant;
  const template = customer.playbook && englishTemplates[customer.playbook];
  const used = template ? await playbookOf(tx, template, by, createdAt) : null;
  const room = { id: newId(roomId), playbookId: used };
  const { topic } = customer;
  await tx.db.insert(rooms).values({ ...room, orgId, topic, createdBy: by.id, createdAt });
  return { room, customer, items: template?.steps.length ?? 0 };
}

/** Customers of one kind share a playbook. */
async function playbookOf(
  tx: TenantConnection,
  { title, description, steps }: (typeof englishTemplates)['renewal'],
  by: User,
  createdAt: Date,
) {
  const [existing] = await tx.db
    .select({ id: playbooks.id })
    .from(playbooks)
    .where(eq(playbooks.title, title));
  if (existing) return existing.id;
  const { orgId } = tx.tenant;
  const id = newId(playbookId);
  const made = { createdBy: by.id, createdAt, updatedBy: by.id, updatedAt: createdAt };
  await tx.db.insert(playbooks).values({ id, orgId, title, description, ...made });
  await insertItems(
    tx,
    id,
    steps.map((text) => ({ text })),
  );
  return id;
}

async function seedPeople(services: Services): Promise<[User, ...User[]]> {
  const { database } = services;
  const passwordHash = await hashPassword(content.password, 'demo');
  const [admin, ...others] = content.people;
  const orgName = content.organizationName;
  const id = await registerAccount(database, { ...admin, passwordHash, orgName }, null);
  const first = await findUser(database, id);
  if (!first || first.orgId === null) throw new Error('the demo’s admin has an organization');
  const users: [User, ...User[]] = [first];
  await tenantFor(services, first).transaction(async (tx) => {
    for (const { role, ...person } of others) {
      const member = { ...person, id: newId(accountId), passwordHash, emailVerifiedAt: null };
      users.push(await insertMember(tx, role, member));
    }
  });
  return users;
}

const linksOf = ({ config, mail }: Services) => ({
  urlOf: (token: string) =>
    `${config.PUBLIC_URL ?? `http://localhost:${config.PORT}`}/invite/${token}`,
  isMailed: mail.leavesMachine,
  language: 'en' as const,
});

function tenantFor({ database }: Services, { id, orgId, role }: User): Tenant {
  if (orgId === null || role === null) throw new Error('the demo’s people have an organization');
  return tenantOf(database, { kind: 'user', accountId: id, orgId, role }, null, 'seed');
}
