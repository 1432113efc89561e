import type { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import { type ScimTokenId, scimTokenId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type {
  createTokenBody,
  MadeScimToken,
  rotateTokenBody,
  ScimToken,
} from '#domain/scim/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { hasFeature } from '#server/billing/has-feature.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { newOrganizationToken } from '#server/platform/tokens.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';
import { tellAdmins } from '#server/sso/tell-admins.ts';
import { lockAdmins } from '#server/team/member-store.ts';
import { scimToken } from './scim-token.ts';

const hourMs = 3_600_000;
/** More than an organization needs at a time, and still a readable list. */
const mostTokens = 20;

interface TokenRow {
  id: ScimTokenId;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  replaced_by: string | null;
  orphaned_at: Date | null;
  own_expires_at: Date | null;
  orphan_of: string | null;
}
const columns = `id, name, created_at, last_used_at, expires_at, replaced_by, orphaned_at,
  own_expires_at, (select trim(a.first_name || ' ' || a.last_name) from known_people a
    where a.id = coalesce(adopted_by, created_by)) as orphan_of`;
const works = 'revoked_at is null and (expires_at is null or expires_at > now())';

const pageOfTokens: Statement = {
  name: 'page_of_scim_tokens',
  text: `select ${columns} from scim_tokens
    where org_id = $1 and revoked_at is null and ($2::uuid is null or id < $2)
      and (expires_at is null or expires_at > now() - interval '30 days')
    order by id desc limit $3`,
};
const countTokens: Statement = {
  name: 'count_scim_tokens',
  text: `select count(*)::int as n from scim_tokens where org_id = $1 and ${works}`,
};
const insertToken: Statement = {
  name: 'insert_scim_token',
  text: `insert into scim_tokens (id, org_id, name, token_hash, created_by, expires_at)
    values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
};
const lockToken: Statement = {
  name: 'lock_scim_token',
  text: `select ${columns} from scim_tokens
    where org_id = $1 and id = $2 and ${works} for update`,
};
const replaceToken: Statement = {
  name: 'replace_scim_token',
  text: `update scim_tokens set replaced_by = $3,
      expires_at = least(expires_at, now() + make_interval(hours => $4::int))
    where org_id = $1 and id = $2`,
};
const adopt: Statement = {
  name: 'adopt_scim_token',
  text: `update scim_tokens set adopted_by = $3, adopted_at = now(), orphaned_at = null,
      expires_at = own_expires_at, own_expires_at = null
    where org_id = $1 and id = $2 and orphaned_at is not null and replaced_by is null and ${works}
    returning ${columns}`,
};
const endToken: Statement = {
  name: 'revoke_scim_token',
  text: `update scim_tokens set revoked_at = now(), revoked_by = $3
    where org_id = $1 and id = $2 and revoked_at is null returning id`,
};

/** Returns the valid tokens, and those that expired within the last thirty days. */
export async function listTokens(tenant: Tenant, page: PageQuery): Promise<ScimToken[]> {
  const rows = await tenant.connection(({ run }) =>
    run<TokenRow>(pageOfTokens, [tenant.orgId, page.before ?? null, page.limit]),
  );
  return rows.map(asToken);
}

/** @throws DomainError 402 if the plan has no provisioning, 409 beyond the limit of tokens */
export function createToken(
  tenant: Tenant,
  given: z.infer<typeof createTokenBody>,
  billing: BillingProvider | null,
  home: string,
): Promise<MadeScimToken> {
  return tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    await refuseWithoutPlan(tx, billing);
    const [found] = await tx.run<{ n: number }>(countTokens, [tenant.orgId]);
    if ((found?.n ?? 0) >= mostTokens) {
      throw new DomainError(
        'conflict',
        'scim_tokens_full',
        `You already have ${mostTokens} tokens. Revoke one you no longer use.`,
      );
    }
    const days = given.expiresInDays;
    const expiresAt = days === null ? null : new Date(Date.now() + days * 24 * hourMs);
    const made = await addToken(tx, given.name, expiresAt);
    await recordEvent(tx, {
      action: 'SCIM_TOKEN_CREATED',
      entity: 'scim_token',
      entityId: made.id,
      metadata: { expiresAt: made.expiresAt },
    });
    await tellAdmins(tx, 'scimToken', home);
    return made;
  });
}

/**
 * Returns a new token with the same name and lifetime. The old one keeps working for the overlap.
 * @throws DomainError 404
 */
export function rotateToken(
  tenant: Tenant,
  id: ScimTokenId,
  { overlapHours }: z.infer<typeof rotateTokenBody>,
  home: string,
): Promise<MadeScimToken> {
  return tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const [old] = await tx.run<TokenRow>(lockToken, [tenant.orgId, id]);
    if (!old || old.replaced_by) throw notFound();
    const end = old.orphaned_at ? old.own_expires_at : old.expires_at;
    const life = end && end.getTime() - old.created_at.getTime();
    const made = await addToken(tx, old.name, life === null ? null : new Date(Date.now() + life));
    await tx.run(replaceToken, [tenant.orgId, id, made.id, overlapHours]);
    await recordEvent(tx, {
      action: 'SCIM_TOKEN_ROTATED',
      entity: 'scim_token',
      entityId: id,
      metadata: { replacedBy: made.id, overlapHours },
    });
    await tellAdmins(tx, 'scimToken', home);
    return made;
  });
}

/**
 * Makes the acting admin responsible for a token whose creator has left, and restores the expiry that it had
 * before. The triggers of migration 0023 had set an earlier one.
 * @throws DomainError 404 for a token that needs no adoption or has ended
 */
export function adoptToken(tenant: Tenant, id: ScimTokenId, home: string): Promise<ScimToken> {
  return tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const [row] = await tx.run<TokenRow>(adopt, [tenant.orgId, id, actingAccount(tenant)]);
    if (!row) throw notFound();
    await recordEvent(tx, { action: 'SCIM_TOKEN_ADOPTED', entity: 'scim_token', entityId: id });
    await tellAdmins(tx, 'scimToken', home);
    return asToken(row);
  });
}

/** @throws DomainError 404 */
export async function revokeToken(tenant: Tenant, id: ScimTokenId): Promise<void> {
  await tenant.transaction(async (tx) => {
    const ended = await tx.run(endToken, [tenant.orgId, id, actingAccount(tenant)]);
    if (ended.length === 0) throw notFound();
    await recordEvent(tx, { action: 'SCIM_TOKEN_REVOKED', entity: 'scim_token', entityId: id });
  });
}

async function addToken(
  tx: TenantConnection,
  name: string,
  expiresAt: Date | null,
): Promise<MadeScimToken> {
  const { token, hash } = newOrganizationToken(tx.tenant.orgId, scimToken);
  const id = newId(scimTokenId);
  const values = [id, tx.tenant.orgId, name, hash, actingAccount(tx.tenant), expiresAt];
  const [row] = await tx.run<TokenRow>(insertToken, values);
  if (!row) throw notFound();
  return { ...asToken(row), token };
}

/** Required only for new tokens: an organization that stops paying must still be able to remove users. */
async function refuseWithoutPlan(tx: TenantConnection, billing: BillingProvider | null) {
  if (await hasFeature(tx, billing, 'scimSso')) return;
  throw new DomainError(
    'plan_limit',
    'plan_limit_scim',
    'Provisioning is part of the Enterprise plan. Contact us in Settings, Billing, to get it.',
  );
}

const asToken = (row: TokenRow): ScimToken => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  isReplaced: row.replaced_by !== null,
  orphanOf: row.orphaned_at && { name: row.orphan_of },
});
