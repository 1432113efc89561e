import { DomainError, invalid, notFound } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { mailOtherAdmins } from '#server/auth/mail-other-admins.ts';
import { cancelWithOrganization } from '#server/billing/cancel-with-organization.ts';
import { emptyRooms } from '#server/calls/hosted-removal.ts';
import { revokeAllAccess } from '#server/crm/disconnect.ts';
import { requireNotBegun, scheduleDeletion } from '#server/organizations/schedule-deletion.ts';
import { files, organizationDeletions, organizations } from '#server/organizations/tables.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { takesLong } from '#server/platform/database-timeouts.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { leaveNothingAtProvider } from '#server/recordings/hosted/leave-nothing.ts';
import { hasLegalHold } from '#server/recordings/legal-hold.ts';
import { recordingsFolder } from '#server/recordings/segment-folder.ts';
import { holdersInOrganization } from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { deletionEmail } from './deletion-email.ts';

/** Returns when the organization is due for deletion; null if no deletion is scheduled. */
export async function readDeletion({ db, tenant }: TenantConnection) {
  const [found] = await db
    .select()
    .from(organizationDeletions)
    .where(eq(organizationDeletions.orgId, tenant.orgId));
  if (!found) return null;
  const { requestedAt, dueAt } = found;
  return { requestedAt: requestedAt.toISOString(), dueAt: dueAt.toISOString() };
}

/**
 * Schedules the deletion, and mails the other admins. A repeated request changes nothing.
 * @param base the server's public URL, for the link in the mail
 * @throws DomainError 400 if the typed name is not the organization's, 409 while calls are under legal hold
 */
export function requestDeletion(tenant: Tenant, { name, base }: { name: string; base: string }) {
  return tenant.transaction(async (tx) => {
    const [organization] = await tx.db
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, tenant.orgId));
    if (organization?.name.trim() !== name) {
      throw invalid('other_name', 'This isn’t the name of your organization', 'name');
    }
    if (await hasLegalHold(tx)) throw heldByLaw();
    const dueAt = await scheduleDeletion(tx);
    if (dueAt) {
      const url = `${base}/app/settings/privacy`;
      await mailOtherAdmins(tx, 'organizationDeletion', (language, admin) =>
        deletionEmail(language, admin, dueAt, url),
      );
    }
    const deletion = await readDeletion(tx);
    if (!deletion) throw notFound();
    return deletion;
  });
}

const heldByLaw = () =>
  new DomainError(
    'conflict',
    'legal_holds',
    'Some of your calls are under legal hold. Lift the holds first.',
  );

/** Cancels the deletion. If none is scheduled, nothing changes. @throws DomainError 409 if it has begun */
export function cancelDeletion(tenant: Tenant): Promise<void> {
  return tenant.transaction(async (tx) => {
    const { orgId, begunAt } = organizationDeletions;
    const gone = await tx.db
      .delete(organizationDeletions)
      .where(and(eq(orgId, tenant.orgId), isNull(begunAt)))
      .returning();
    if (gone.length === 0) return requireNotBegun(tx);
    await recordEvent(tx, {
      action: 'ORGANIZATION_DELETION_CANCELLED',
      entity: 'organization',
      entityId: tenant.orgId,
    });
  });
}

const lockDue: Statement = {
  name: 'lock_due_deletion',
  text: `select begun_at as "begunAt" from organization_deletions where org_id = $1 and due_at <= now() for update`,
};
const noteBegun: Statement = {
  name: 'note_begun_deletion',
  text: 'update organization_deletions set begun_at = clock_timestamp() where org_id = $1',
};

/**
 * Begins a deletion, or goes on with one: from now on it can’t be cancelled, and no legal hold be placed.
 * @returns false if it was cancelled, or a call came under legal hold
 */
const begin = (tenant: Tenant): Promise<boolean> =>
  tenant.transaction(async (tx) => {
    const [row] = await tx.run<{ begunAt: Date | null }>(lockDue, [tenant.orgId]);
    if (!row) return false;
    if (row.begunAt) return true;
    if (await hasLegalHold(tx)) return false;
    await tx.run(noteBegun, [tenant.orgId]);
    return true;
  });

const due: Statement = {
  name: 'organizations_to_delete',
  text: 'select org_id as "orgId" from organizations_to_delete()',
};
// Committed before anything is deleted: a request with a token would wait for its row until the deletion is over, with
// a connection by which the sessions of all organizations are looked up.
const endTokens: Statement = {
  name: 'end_tokens_of_due_organization',
  text: `update api_tokens set revoked_at = now() where org_id = $1 and revoked_at is null
    and exists (select from organization_deletions d where d.org_id = $1 and d.due_at <= now())`,
};
const deleteWhole: Statement = {
  name: 'delete_organization',
  text: 'select delete_organization() as done',
};

/** A CRM that does not answer delays a deletion for so long. */
const mostDelayMs = 7 * 86_400_000;

async function endAccess(services: Services, tenant: Tenant, dueAt: Date): Promise<void> {
  const outcomes = await revokeAllAccess(services, tenant);
  const { orgId } = tenant;
  const mayWait = Date.now() - dueAt.getTime() < mostDelayMs;
  if (mayWait && outcomes.includes('unanswered'))
    throw new Error('a CRM did not answer to the end of its access');
  if (outcomes.some((one) => one !== 'revoked'))
    services.log.error({ orgId }, 'remove the access of this organization at its CRM by hand');
}

/** @throws Error while the hosted provider still has a recording, and there is time to try again */
async function endHosted(services: Services, tenant: Tenant, dueAt: Date): Promise<void> {
  if (await leaveNothingAtProvider(services, tenant)) return;
  if (Date.now() - dueAt.getTime() < mostDelayMs)
    throw new Error('the hosted provider still has a recording of this organization');
  services.log.error(
    { orgId: tenant.orgId },
    'delete the recordings of this organization at Daily by hand',
  );
}

/**
 * Sends everybody out of the rooms at the hosted provider, which would keep them for hours.
 * @throws Error while the provider does not answer, and there is time to try again
 */
async function emptyHosted(services: Services, tenant: Tenant, dueAt: Date): Promise<void> {
  const { orgId } = tenant;
  try {
    await emptyRooms(services, orgId, await holdersInOrganization(tenant));
  } catch (error) {
    if (Date.now() - dueAt.getTime() < mostDelayMs) throw error;
    services.log.error(
      { err: error, orgId },
      'end the calls of this organization at Daily by hand',
    );
  }
}

/** Deletes the organizations that are due. Files go first, so that an interrupted deletion is repeated. */
export async function deleteDueOrganizations(services: Services): Promise<void> {
  const { database, log } = services;
  const found = await database.connection('outside', ({ run }) => run<{ orgId: OrgId }>(due, []));
  const remove = async ({ orgId }: { orgId: OrgId }) => {
    const tenant = tenantOf(database, { kind: 'system', name: 'deletion', orgId }, null);
    const deletion = await tenant.connection(readDeletion);
    if (!deletion || !(await begin(tenant))) return;
    await cancelWithOrganization(services, tenant);
    await endAccess(services, tenant, new Date(deletion.dueAt));
    await endHosted(services, tenant, new Date(deletion.dueAt));
    await emptyHosted(services, tenant, new Date(deletion.dueAt));
    const keys = await tenant.connection(({ db }) =>
      db.select({ key: files.key }).from(files).where(eq(files.orgId, orgId)),
    );
    for (const { key } of keys) await services.files.delete(key);
    await services.files.deleteAll(recordingsFolder(orgId));
    await tenant.connection(({ run }) => run(endTokens, [orgId]));
    const holders = await holdersInOrganization(tenant);
    const [gone] = await tenant.transaction(async ({ run }) => {
      await run(takesLong, []);
      return run<{ done: boolean }>(deleteWhole, []);
    });
    if (!gone?.done) throw new Error('its deletion was not scheduled any more');
    // Whoever has come back meanwhile.
    await emptyRooms(services, orgId, holders).catch((error) =>
      log.error({ err: error, orgId }, 'end the calls of this organization at Daily by hand'),
    );
    // Parts that arrived meanwhile.
    await services.files.deleteAll(recordingsFolder(orgId));
    log.info({ orgId }, 'an organization was deleted, as it asked');
  };
  await eachApart(log, found, remove, 'an organization could not be deleted');
}
