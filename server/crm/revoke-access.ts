import type { CrmVendor } from '#domain/crm/mapping.ts';
import { chooseCrm } from '#server/providers/crm/choose.ts';
import { type Crm, CrmFailure, type Grant } from '#server/providers/crm/port.ts';
import type { Services } from '#server/services.ts';
import { unsealToken } from './tokens.ts';

export interface StoredAccess {
  id: string;
  vendor: CrmVendor;
  refreshSealed: string;
}

/** `refused`: it cannot be revoked by us, now or later. `unanswered`: the vendor may revoke it later. */
export type Revocation = 'revoked' | 'refused' | 'unanswered';

/**
 * Revokes the access of a connection.
 * @param kept a token that stays in use; a vendor may answer the same one again
 */
export async function revokeStored(
  services: Pick<Services, 'config' | 'outside' | 'secrets' | 'log'>,
  { id, vendor, refreshSealed }: StoredAccess,
  kept: string | null = null,
): Promise<Revocation> {
  const crm = chooseCrm(services.config, services.outside.fetch, vendor);
  if (!crm) return 'refused';
  try {
    const token = unsealToken(services.secrets, id, refreshSealed);
    if (token !== kept) await crm.revoke(token);
    return 'revoked';
  } catch (error) {
    services.log.warn({ err: error, vendor }, 'the access to a CRM was not revoked there');
    return mayAnswer(error) ? 'unanswered' : 'refused';
  }
}

const mayAnswer = (error: unknown) =>
  error instanceof CrmFailure && (error.kind === 'unavailable' || error.kind === 'busy');

/** Revokes tokens that were granted and not stored. */
export async function revokeGrant(
  crm: Crm,
  { accessToken, refreshToken }: Pick<Grant, 'accessToken' | 'refreshToken'>,
  { log }: Pick<Services, 'log'>,
): Promise<void> {
  try {
    await crm.revoke(refreshToken ?? accessToken);
  } catch (error) {
    log.warn({ err: error, vendor: crm.vendor }, 'unused tokens of a CRM were not revoked there');
  }
}
