import type { FastifyRequest } from 'fastify';
import { apiTokenRefused, noApiToken, scopeMissing } from '#domain/api/refusals.ts';
import type { ApiScope } from '#domain/api/scopes.ts';
import { type Permission, type Role, roleMay } from '#domain/auth/permissions.ts';
import { DomainError, roleForbids } from '#domain/errors.ts';
import type { AccountId, ApiTokenId, OrgId } from '#domain/ids.ts';
import { refuseUnverified } from '#server/auth/verify-email.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { answerPaceOf } from '#server/platform/bounded-answers.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { noteOf } from '#server/platform/refused-requests.ts';
import { SharedLookUps } from '#server/platform/shared-look-ups.ts';
import { hashOfApiToken } from './token-text.ts';

interface TokenRow {
  id: ApiTokenId;
  org_id: OrgId;
  account_id: AccountId | null;
  role: Role | null;
  scopes: ApiScope[];
  is_strong: boolean;
  email_unverified: boolean;
  is_stale: boolean;
}
const tokensByHash = new SharedLookUps<TokenRow & Record<string, unknown>>({
  name: 'find_api_token',
  text: 'select * from find_api_token($1)',
});
const touchToken: Statement = { name: 'touch_api_token', text: 'select touch_api_token($1)' };

/** The person or the organization that a token acts as. */
export interface ApiCaller {
  tokenId: ApiTokenId;
  orgId: OrgId;
  /** Null for a token of the organization. */
  account: { id: AccountId; role: Role; isStrong: boolean; isUnverified: boolean } | null;
  scopes: readonly ApiScope[];
}

/**
 * Returns whom the token acts as. It is read each time, so that a revocation holds from then on, on all processes.
 * Its last use is recorded at most once a minute.
 * @throws DomainError 401
 */
export async function findApiCaller(
  database: Database,
  request: FastifyRequest,
  token: string,
): Promise<ApiCaller> {
  const hash = hashOfApiToken(token);
  const row = hash ? await tokensByHash.find(database, hash) : undefined;
  if (!row) throw apiTokenRefused();
  if (row.is_stale) await database.lookUp(touchToken, [row.id]);
  const { account_id: id, role } = row;
  if (id !== null) noteOf(request, { accountId: id });
  return {
    tokenId: row.id,
    orgId: row.org_id,
    account:
      id === null || role === null
        ? null
        : { id, role, isStrong: row.is_strong, isUnverified: row.email_unverified },
    scopes: row.scopes,
  };
}

/** What a contract demands of a token. */
interface Demands {
  scope?: ApiScope;
  permission: Permission;
  needsVerifiedAddress?: true;
}

/**
 * Returns the tenant of a token for what a contract declares.
 * @throws DomainError 403
 */
export function tenantOfApiCaller(
  database: Database,
  { tokenId, orgId, account, scopes }: ApiCaller,
  request: FastifyRequest,
  { scope, permission, needsVerifiedAddress }: Demands,
): Tenant {
  if (scope === undefined) throw noApiToken();
  if (!scopes.includes(scope)) throw scopeMissing(scope);
  const pace = answerPaceOf(request, orgId, account?.id ?? tokenId);
  if (account === null) {
    const actor = { kind: 'token', of: 'api', tokenId, orgId, role: 'ORGADMIN' } as const;
    return tenantOf(database, actor, request.ip, null, pace);
  }
  const { id: accountId, role, isStrong, isUnverified } = account;
  if (!isStrong) throw needsTwoFactors();
  if (!roleMay(role, permission)) throw roleForbids();
  if (needsVerifiedAddress) refuseUnverified({ mustVerifyEmail: isUnverified });
  const actor = { kind: 'user', accountId, orgId, role, apiTokenId: tokenId } as const;
  return tenantOf(database, actor, request.ip, { apiToken: { id: tokenId }, permission }, pace);
}

const needsTwoFactors = () =>
  new DomainError(
    'forbidden',
    'token_without_factor',
    'Your organization requires a second factor. Set it up, sign in with it, and make a new token.',
  );
