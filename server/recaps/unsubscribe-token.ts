import { type AccountId, accountId, type OrgId, orgId } from '#domain/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { readSignedIds, signIds } from '#server/platform/signed-ids.ts';

const purpose = 'recap-unsubscribe';

/** Returns a token that ends a member's recaps, and nothing else. It is signed, so that none is stored. */
export const unsubscribeToken = (secrets: Secrets, org: OrgId, account: AccountId): string =>
  signIds(secrets, purpose, org, account);

/** Returns whose recaps a token ends; null for a token that was not signed here. */
export function readUnsubscribeToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; accountId: AccountId } | null {
  const ids = readSignedIds(secrets, purpose, token);
  return ids && { orgId: orgId.parse(ids.org), accountId: accountId.parse(ids.id) };
}
