import { parse, stringify } from 'uuid';
import { type AccountId, accountId, type OrgId, orgId } from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';

const purpose = 'recap-unsubscribe';
const idBytes = 16;
const signatureBytes = 16;

/** Returns a token that ends a member's recaps, and nothing else. It is signed, so that none is stored. */
export function unsubscribeToken(secrets: Secrets, org: OrgId, account: AccountId): string {
  const ids = Buffer.concat([parse(org), parse(account)]);
  const signature = sign(secrets.key(purpose), ids, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** Returns whose recaps a token ends; null for a token that was not signed here. */
export function readUnsubscribeToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; accountId: AccountId } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * idBytes + signatureBytes) return null;
  const ids = bytes.subarray(0, 2 * idBytes);
  const signature = bytes.subarray(2 * idBytes);
  const isSigned = secrets
    .keys(purpose)
    .some(({ key }) => sameBytes(sign(key, ids, signatureBytes), signature));
  if (!isSigned) return null;
  return {
    orgId: orgId.parse(stringify(ids.subarray(0, idBytes))),
    accountId: accountId.parse(stringify(ids.subarray(idBytes))),
  };
}
