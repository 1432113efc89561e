import type { FastifyRequest } from 'fastify';
import type { ScimTokenId } from '#domain/ids.ts';
import { tokenRefused } from '#domain/scim/error.ts';
import { type RequestPace, type Tenant, tenantOf } from '#server/platform/access.ts';
import { answerPaceOf } from '#server/platform/bounded-answers.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { readOrganizationToken } from '#server/platform/tokens.ts';
import { scimToken } from './scim-token.ts';

const tokenByHash: Statement = {
  name: 'scim_token_by_hash',
  text: `select id, coalesce(last_used_at < now() - interval '1 minute', true) as "isStale"
    from scim_tokens
    where org_id = $1 and token_hash = $2 and revoked_at is null
      and (expires_at is null or expires_at > now())`,
};
const touchToken: Statement = {
  name: 'touch_scim_token',
  text: 'update scim_tokens set last_used_at = now() where org_id = $1 and id = $2',
};

/**
 * Returns the organization of the request's bearer token. A token has the permissions of an admin of the
 * organization. Its last use is recorded at most once a minute.
 * @throws ScimError 401
 */
export async function admitToken(
  database: Database,
  request: FastifyRequest,
): Promise<{ tenant: Tenant; pace: RequestPace; tokenId: ScimTokenId }> {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(/ +/);
  const named = scheme.toLowerCase() === 'bearer' ? readOrganizationToken(token, scimToken) : null;
  if (!named) throw tokenRefused();
  const { orgId } = named;
  const asking = { kind: 'system' as const, name: 'scim', orgId };
  const row = await tenantOf(database, asking, request.ip).connection(async ({ run }) => {
    const values = [orgId, named.hash];
    const [found] = await run<{ id: ScimTokenId; isStale: boolean }>(tokenByHash, values);
    if (found?.isStale) await run(touchToken, [orgId, found.id]);
    return found;
  });
  if (!row) throw tokenRefused();
  const actor = {
    kind: 'token' as const,
    of: 'scim' as const,
    tokenId: row.id,
    orgId,
    role: 'ORGADMIN' as const,
  };
  const pace = answerPaceOf(request, orgId, row.id);
  return { tenant: tenantOf(database, actor, request.ip, null, pace), pace, tokenId: row.id };
}
