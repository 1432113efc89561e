import { email as emailSchema } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { type AccountId, accountId, type SsoConnectionId } from '#domain/ids.ts';
import type { SsoRole } from '#domain/sso/contract.ts';
import { domainOf, mappedRole } from '#domain/sso/rules.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { takesNewAccounts } from '#server/auth/doors.ts';
import { releaseAddress } from '#server/auth/leave-account.ts';
import { lockAccountToDelete } from '#server/auth/lock-account.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import type { Services } from '#server/services.ts';
import { reclaimAccount } from '#server/team/reclaim-account.ts';
import { type Asserted, Checks, SsoRefusal } from './asserted.ts';
import { type ConnectionRow, isSameProvider } from './connection-store.ts';
import { connectionOfDomain } from './domain-store.ts';
import { joinOrganization, proveAddress } from './join-organization.ts';
import { syncRole } from './sync-role.ts';
import { ssoConnections, ssoIdentities } from './tables.ts';

export interface Admitted {
  accountId: AccountId;
  role: Role;
}

interface Found {
  id: AccountId;
  role: Role | null;
}

/**
 * Finds or creates the account of a person whom an identity provider authenticated: by the provider's
 * subject, or else by email address. The address must be of a verified domain that is assigned to this
 * connection.
 * @param answer of the provider, and when it was asked
 * @param base the server's public URL, for links in mails
 * @throws SsoRefusal
 */
export async function admitPerson(
  services: Pick<Services, 'database' | 'bus' | 'config'>,
  tenant: Tenant,
  connection: ConnectionRow,
  { asserted, askedAt }: { asserted: Asserted; askedAt: Date },
  base: string,
): Promise<Admitted> {
  const { database, config } = services;
  const checked = await tenant.connection((at) =>
    checkPerson(at, connection, asserted, new Checks()),
  );
  await reclaimAccount(services, tenant, checked.email);
  return tenant.transaction(async (tx) => {
    await lockConnection(tx, connection);
    const { email, role: mapped } = await checkPerson(tx, connection, asserted, new Checks());
    const known =
      (await byIdentity(tx, connection, asserted)) ??
      (await byEmail(tx, connection, { email, subject: asserted.subject }));
    await refuseEnded(tx, [email, connection.id, asserted.subject, askedAt]);
    if (known?.role === 'SUPERADMIN') {
      throw new SsoRefusal('account', 'An operator of this installation signs in with a password.');
    }
    const role = known?.role
      ? await syncRole(tx, known.id, known.role, { mapped, askedAt })
      : (mapped ?? connection.defaultRole);
    if (!known && !takesNewAccounts(config)) {
      throw new SsoRefusal('account', 'New accounts are closed on this server.');
    }
    const id = known?.id ?? (await makeAccount(tx, email, asserted));
    const identity = { connection: connection.id, subject: asserted.subject };
    if (!known?.role)
      await joinOrganization(tx, id, role, { email, base, isNew: !known, ...identity });
    else await proveAddress(tx, id, { email, base });
    await noteIdentity(tx, connection, asserted.subject, id);
    const actor = { kind: 'user' as const, accountId: id, orgId: tenant.orgId, role };
    const self = tenantOf(database, actor, tenant.address, 'own-proof');
    await recordEvent(
      { ...tx, tenant: self },
      {
        action: 'SSO_SIGNED_IN',
        entity: 'sso_connection',
        entityId: connection.id,
        metadata: { role, joined: !known?.role },
      },
    );
    return { accountId: id, role };
  });
}

const hasEnded: Statement = {
  name: 'sign_in_has_ended',
  text: 'select sign_in_has_ended($1, $2, $3, $4, $5) as "isOver"',
};

/**
 * Whoever was removed, or signed out everywhere, must ask their provider again: an answer, or a sign-in that began before,
 * may have waited for it. That holds for their address, a former one, and their identity at the provider. Called when it is known whether they are a member, so that a removal which ended the membership
 * is seen. Sessions of members are checked again when they begin (still-proved.ts).
 * @throws SsoRefusal
 */
async function refuseEnded(
  { run, tenant }: TenantConnection,
  answer: [email: string, connection: SsoConnectionId, subject: string, askedAt: Date],
): Promise<void> {
  const [ended] = await run<{ isOver: boolean }>(hasEnded, [tenant.orgId, ...answer]);
  if (!ended?.isOver) return;
  throw new SsoRefusal('request', 'Sign-ins of this person ended after this one began.');
}

/**
 * Locks the connection, so that concurrent sign-ins of the same new person run one after the other. Asking
 * the provider takes seconds, in which the connection may have been switched off or pointed at another
 * provider.
 * @throws SsoRefusal
 */
async function lockConnection({ db }: TenantConnection, asked: ConnectionRow): Promise<void> {
  const [now] = await db
    .select()
    .from(ssoConnections)
    .where(eq(ssoConnections.id, asked.id))
    .for('no key update');
  if (now && now.enabledAt !== null && isSameProvider(now, asked)) return;
  const reason = 'The connection was changed during this sign-in. Please start again.';
  throw new SsoRefusal('account', reason);
}

/** Runs the checks that need no account. The test button runs them, too. @throws SsoRefusal */
export async function checkPerson(
  tx: TenantConnection,
  connection: ConnectionRow,
  { email: given, emailVerified, claims }: Asserted,
  checks: Checks,
): Promise<{ email: string; role: SsoRole | null }> {
  const email = emailSchema.safeParse(given);
  if (!email.success) throw new SsoRefusal('email', 'The provider sent no email address.');
  checks.require('email', emailVerified, `The provider didn’t verify ${email.data}.`);
  const domain = domainOf(email.data);
  checks.require(
    'domain',
    (await connectionOfDomain(tx, domain)) === connection.id,
    `${domain} isn’t a verified domain assigned to this connection.`,
  );
  return { email: email.data, role: mappedRole(connection, claims) };
}

/**
 * Finds an account by the provider's subject. The account's current address must also be of a domain of this
 * connection: otherwise the connection of its new domain decides.
 */
async function byIdentity(
  tx: TenantConnection,
  connection: ConnectionRow,
  { subject }: Asserted,
): Promise<Found | null> {
  const { db, tenant } = tx;
  const [found] = await db
    .select({ id: memberships.accountId, role: memberships.role, email: accounts.email })
    .from(ssoIdentities)
    .innerJoin(
      memberships,
      and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, ssoIdentities.accountId)),
    )
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(ssoIdentities.connectionId, connection.id), eq(ssoIdentities.subject, subject)));
  if (!found) return null;
  if ((await connectionOfDomain(tx, domainOf(found.email))) !== connection.id) {
    const reason = `${found.email}, the address of the account, is not of a domain of this connection.`;
    throw new SsoRefusal('domain', reason);
  }
  return { id: found.id, role: found.role };
}

const membershipOf: Statement = {
  name: 'sso_membership_of',
  text: 'select org_id as "orgId", role from find_membership($1)',
};

async function byEmail(
  tx: TenantConnection,
  connection: ConnectionRow,
  { email, subject }: { email: string; subject: string },
): Promise<Found | null> {
  const { db, run, tenant } = tx;
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.email, email));
  if (!account) return null;
  const isReassigned = await wasSomeoneElse(tx, connection, { id: account.id, subject });
  // Others may be letting the account in meanwhile.
  if (isReassigned) await lockAccountToDelete(tx, account.id);
  const [membership] = await run<{ orgId: string; role: Role }>(membershipOf, [account.id]);
  if (membership && membership.orgId !== tenant.orgId) {
    throw new SsoRefusal('account', `${email} belongs to another organization.`);
  }
  const linked = await db
    .select({ subject: ssoIdentities.subject })
    .from(ssoIdentities)
    .where(
      and(eq(ssoIdentities.connectionId, connection.id), eq(ssoIdentities.accountId, account.id)),
    );
  // A reassigned address must not give its new holder the former holder's account. A directory may have taken it in
  // again before the new holder came.
  if (linked.length > 0 || (isReassigned && membership)) {
    throw new SsoRefusal(
      'account',
      `The provider knew ${email} as another person before. An admin can remove that member.`,
    );
  }
  if (isReassigned) {
    await releaseAddress(tx, account.id);
    return null;
  }
  return { id: account.id, role: membership?.role ?? null };
}

const formerIdentities: Statement = {
  name: 'former_identities_of_account',
  text: `select count(*)::int as count, coalesce(bool_or(identity_hash = hash_of_identity($1, $3)), false) as "isSame"
    from former_identities where connection_id = $1 and account_id = $2`,
};

/** Whether the provider knew the account, when it was a member, as another person than this subject. */
async function wasSomeoneElse(
  { run }: TenantConnection,
  connection: ConnectionRow,
  { id, subject }: { id: AccountId; subject: string },
): Promise<boolean> {
  const [former] = await run<{ count: number; isSame: boolean }>(formerIdentities, [
    ...[connection.id, id, subject],
  ]);
  return former !== undefined && former.count > 0 && !former.isSame;
}

async function makeAccount(
  { db }: TenantConnection,
  email: string,
  { firstName, lastName }: Asserted,
): Promise<AccountId> {
  const id = newId(accountId);
  const createdAt = new Date();
  await db.insert(accounts).values({
    id,
    email,
    firstName: (firstName ?? email.slice(0, email.lastIndexOf('@'))).slice(0, 100),
    lastName: (lastName ?? '').slice(0, 100),
    emailVerifiedAt: createdAt,
    createdAt,
  });
  return id;
}

async function noteIdentity(
  { db, tenant }: TenantConnection,
  connection: ConnectionRow,
  subject: string,
  account: AccountId,
): Promise<void> {
  const lastUsedAt = new Date();
  await db
    .insert(ssoIdentities)
    .values({
      orgId: tenant.orgId,
      connectionId: connection.id,
      subject,
      accountId: account,
      createdAt: lastUsedAt,
      lastUsedAt,
    })
    .onConflictDoUpdate({
      target: [ssoIdentities.connectionId, ssoIdentities.subject],
      set: { lastUsedAt },
    });
}
