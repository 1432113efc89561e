import type { z } from 'zod';
import {
  type ApiToken,
  type apiTokenBody,
  type MadeApiToken,
  mostApiTokens,
  type OrganizationToken,
} from '#domain/api/contract.ts';
import type { ApiScope } from '#domain/api/scopes.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type AccountId, type ApiTokenId, apiTokenId, type OrgId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { requireStillAsking } from '#server/auth/change-credentials.ts';
import { type Changing, mailAccountChange } from '#server/auth/mail-account-change.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { isMadeByAdmin } from '#server/team/is-admin.ts';
import { newApiToken } from './token-text.ts';

const dayMs = 86_400_000;

interface TokenRow {
  id: ApiTokenId;
  name: string;
  scopes: ApiScope[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}
interface OrganizationTokenRow extends TokenRow {
  person: string | null;
  made_by: string | null;
  is_of_admin: boolean;
}
const columns = 't.id, t.name, t.scopes, t.created_at, t.last_used_at, t.expires_at';
const nameOf = (account: string) =>
  `(select trim(a.first_name || ' ' || a.last_name) from known_people a where a.id = ${account})`;
const works = 't.revoked_at is null and (t.expires_at is null or t.expires_at > now())';
/** Also what expired within the last thirty days. */
const shown = `t.revoked_at is null
  and (t.expires_at is null or t.expires_at > now() - interval '30 days')`;

const pageOfPersonal: Statement = {
  name: 'page_of_api_tokens',
  text: `select ${columns} from api_tokens t
    where t.org_id = $1 and t.account_id = $4 and ${shown} and ($2::uuid is null or t.id < $2)
    order by t.id desc limit $3`,
};
const pageOfAll: Statement = {
  name: 'page_of_organization_tokens',
  text: `select ${columns}, ${nameOf('t.account_id')} as person, ${nameOf('t.created_by')} as made_by,
      t.account_id is not null or ${isMadeByAdmin('t')} as is_of_admin
    from api_tokens t
    where t.org_id = $1 and ${shown} and ($2::uuid is null or t.id < $2)
    order by t.id desc limit $3`,
};
const countTokens: Statement = {
  name: 'count_api_tokens',
  text: `select count(*)::int as n from api_tokens t
    where t.org_id = $1 and t.account_id is not distinct from $2 and ${works}`,
};
const insertToken: Statement = {
  name: 'insert_api_token',
  text: `insert into api_tokens as t (id, org_id, account_id, name, token_hash, scopes, sso_org_id, two_factors,
      created_by, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`,
};
const endToken: Statement = {
  name: 'revoke_api_token',
  text: `update api_tokens set revoked_at = now(), revoked_by = $3
    where org_id = $1 and id = $2 and ($4::uuid is null or account_id = $4) and revoked_at is null
    returning id`,
};

/** Whom a new token acts as, and what the session was worth that makes it. */
interface TokenOf {
  accountId: AccountId | null;
  ssoOrgId: OrgId | null;
  twoFactors: boolean;
  /** The session with which a personal token would have to end (migration 0079). */
  session: { id: string } | null;
}
export const ofOrganization: TokenOf = {
  accountId: null,
  ssoOrgId: null,
  twoFactors: false,
  session: null,
};

export async function listPersonal(
  tenant: Tenant,
  account: AccountId,
  { before, limit }: PageQuery,
): Promise<ApiToken[]> {
  const values = [tenant.orgId, before ?? null, limit, account];
  const rows = await tenant.connection(({ run }) =>
    run<TokenRow & Record<string, unknown>>(pageOfPersonal, values),
  );
  return rows.map(asToken);
}

/** Returns the tokens of the organization itself, and those of its members. */
export async function listOfOrganization(
  tenant: Tenant,
  { before, limit }: PageQuery,
): Promise<OrganizationToken[]> {
  const values = [tenant.orgId, before ?? null, limit];
  const rows = await tenant.connection(({ run }) =>
    run<OrganizationTokenRow & Record<string, unknown>>(pageOfAll, values),
  );
  return rows.map((row) => {
    const { person, made_by: madeBy, is_of_admin: isOfAdmin } = row;
    return { ...asToken(row), person, madeBy, isOfAdmin };
  });
}

/**
 * Mails `by`, whose session someone else may have used.
 * @throws DomainError 409 beyond the limit of tokens, 401 if the session of a personal token has ended
 */
export function createToken(
  tenant: Tenant,
  of: TokenOf,
  by: Changing,
  { name, scopes, expiresInDays }: z.infer<typeof apiTokenBody>,
): Promise<MadeApiToken> {
  return tenant.transaction(async (tx) => {
    // What ends the session waits for this lock, and then ends the token, too.
    if (of.session) await requireStillAsking(tx, { user: by.user, session: of.session });
    await lockOrganization(tx);
    await refuseMore(tx, of);
    const { token, hash } = newApiToken();
    const id = newId(apiTokenId);
    const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs);
    const [row] = await tx.run<TokenRow & Record<string, unknown>>(insertToken, [
      ...[id, tenant.orgId, of.accountId, name, hash, scopes, of.ssoOrgId, of.twoFactors],
      ...[actingAccount(tenant), expiresAt],
    ]);
    if (!row) throw notFound();
    const metadata = { scopes, isPersonal: of.accountId !== null, expiresAt };
    const event = { action: 'API_TOKEN_CREATED', entity: 'api_token', entityId: id } as const;
    await recordEvent(tx, { ...event, metadata });
    await mailAccountChange(tx, by, 'apiTokenMade');
    return { ...asToken(row), token };
  });
}

async function refuseMore(tx: TenantConnection, { accountId }: TokenOf): Promise<void> {
  const [stored] = await tx.run<{ n: number }>(countTokens, [tx.tenant.orgId, accountId]);
  if ((stored?.n ?? 0) < mostApiTokens) return;
  throw new DomainError(
    'conflict',
    'most_api_tokens',
    `There are ${mostApiTokens} tokens already. Revoke one that is no longer used.`,
  );
}

/**
 * Ends a token; requests that arrive from then on are refused, and so are changes that others have not committed.
 * @param account whose token it must be; null for any of the organization
 * @throws DomainError 404
 */
export async function revokeToken(
  tenant: Tenant,
  id: ApiTokenId,
  account: AccountId | null,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    const ended = await tx.run(endToken, [tenant.orgId, id, actingAccount(tenant), account]);
    if (ended.length === 0) throw notFound();
    await recordEvent(tx, { action: 'API_TOKEN_REVOKED', entity: 'api_token', entityId: id });
  });
}

const asToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
});
