import type { BodyOf } from '#domain/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type CallId, type ShareId, shareId } from '#domain/ids.ts';
import {
  type createShare as createShareContract,
  mostShares,
  type Share,
} from '#domain/shares/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { newOrganizationToken } from '#server/platform/tokens.ts';
import { shareToken } from './share-token.ts';
import { recordingShares } from './tables.ts';

const dayMs = 86_400_000;

interface ShareRow {
  id: ShareId;
  title: string | null;
  startMs: number | null;
  endMs: number | null;
  createdAt: Date;
  createdBy: string | null;
  expiresAt: Date;
  lastViewedAt: Date | null;
}

const isValid = 's.revoked_at is null and s.expires_at > now()';
const sharesOfCall: Statement = {
  name: 'shares_of_call',
  text: `select s.id, s.title, s.start_ms as "startMs", s.end_ms as "endMs", s.created_at as "createdAt",
      coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.email) as "createdBy",
      s.expires_at as "expiresAt", s.last_viewed_at as "lastViewedAt"
    from recording_shares s left join known_people a on a.id = s.created_by
    where s.org_id = $1 and s.call_id = $2 and ${isValid}
    order by s.id desc limit ${mostShares}`,
};
// Locks the call, so that of two concurrent requests the second counts the share of the first.
const sharedCall: Statement = {
  name: 'shared_call',
  text: `select exists (select from recorded_tracks t where t.org_id = c.org_id and t.call_id = c.id)
      as "isRecorded"
    from calls c where c.org_id = $1 and c.id = $2 for update`,
};
const countShares: Statement = {
  name: 'count_valid_shares',
  text: `select count(*)::integer as n from recording_shares s
    where s.org_id = $1 and s.call_id = $2 and ${isValid}`,
};
const revoke: Statement = {
  name: 'revoke_share',
  text: `update recording_shares s set revoked_at = now(), revoked_by = $3
    where s.org_id = $1 and s.id = $2 and s.revoked_at is null returning s.call_id as "callId"`,
};
const knownShare: Statement = {
  name: 'known_share',
  text: 'select id from recording_shares where org_id = $1 and id = $2',
};
const knownCall: Statement = {
  name: 'call_of_shares',
  text: 'select id from calls where org_id = $1 and id = $2',
};

/**
 * Returns the valid shares of a call's recording, newest first.
 * @throws DomainError 404
 */
export function listShares(tenant: Tenant, call: CallId): Promise<Share[]> {
  return tenant.connection(async ({ run }) => {
    const [known] = await run(knownCall, [tenant.orgId, call]);
    if (!known) throw notFound();
    const rows = await run<ShareRow & Record<string, unknown>>(sharesOfCall, [tenant.orgId, call]);
    return rows.map(asShare);
  });
}

/**
 * Creates a share. Its token is returned only here: the database has a hash of it.
 * @throws DomainError 404, 409 for a call without a recording or with the most shares
 */
export function createShare(
  tenant: Tenant,
  call: CallId,
  { title, clip, expiresInDays }: BodyOf<typeof createShareContract>,
  now = new Date(),
): Promise<{ share: Share; token: string }> {
  return tenant.transaction(async (tx) => {
    await refuseUnshareable(tx, call);
    const { token, hash } = newOrganizationToken(tenant.orgId, shareToken);
    const id = newId(shareId);
    const expiresAt = new Date(now.getTime() + expiresInDays * dayMs);
    await tx.db.insert(recordingShares).values({
      id,
      orgId: tenant.orgId,
      callId: call,
      tokenHash: hash,
      title: title || null,
      startMs: clip?.startMs ?? null,
      endMs: clip?.endMs ?? null,
      createdAt: now,
      createdBy: actingAccount(tenant),
      expiresAt,
    });
    await recordEvent(tx, {
      action: 'RECORDING_SHARED',
      entity: 'call',
      entityId: call,
      metadata: { shareId: id, expiresAt: expiresAt.toISOString(), ...clip },
    });
    const rows = await tx.run<ShareRow & Record<string, unknown>>(sharesOfCall, [
      tenant.orgId,
      call,
    ]);
    const row = rows.find((one) => one.id === id);
    if (!row) throw notFound();
    return { share: asShare(row), token };
  });
}

async function refuseUnshareable({ run, tenant }: TenantConnection, call: CallId): Promise<void> {
  const [found] = await run<{ isRecorded: boolean }>(sharedCall, [tenant.orgId, call]);
  if (!found) throw notFound();
  if (!found.isRecorded)
    throw new DomainError('conflict', 'not_recorded', 'This call has no recording to share.');
  const [valid] = await run<{ n: number }>(countShares, [tenant.orgId, call]);
  if ((valid?.n ?? 0) >= mostShares)
    throw new DomainError(
      'conflict',
      'most_shares',
      `This recording has ${mostShares} links already. Revoke one first.`,
    );
}

/**
 * Ends a share at once. Repeating it changes nothing.
 * @throws DomainError 404
 */
export function revokeShare(tenant: Tenant, id: ShareId): Promise<void> {
  return tenant.transaction(async (tx) => {
    const [found] = await tx.run<{ callId: CallId }>(revoke, [
      tenant.orgId,
      id,
      actingAccount(tenant),
    ]);
    if (!found) {
      const [known] = await tx.run(knownShare, [tenant.orgId, id]);
      if (!known) throw notFound();
      return;
    }
    await recordEvent(tx, {
      action: 'RECORDING_SHARE_REVOKED',
      entity: 'call',
      entityId: found.callId,
      metadata: { shareId: id },
    });
  });
}

function asShare(row: ShareRow): Share {
  const { startMs, endMs } = row;
  return {
    id: row.id,
    title: row.title,
    clip: startMs === null || endMs === null ? null : { startMs, endMs },
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    expiresAt: row.expiresAt.toISOString(),
    lastViewedAt: row.lastViewedAt?.toISOString() ?? null,
  };
}
