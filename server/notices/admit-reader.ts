import { roleMay } from '#domain/auth/permissions.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { findSession } from '#server/auth/sessions.ts';
import { NotAdmitted } from '#server/calls/admit-participant.ts';
import type { Services } from '#server/services.ts';
import type { Reader } from './notice-page.ts';

/**
 * Returns whose browser reads notices, by its session cookie.
 * @throws NotAdmitted without a session, or in no organization
 */
export async function admitReader(
  services: Pick<Services, 'database' | 'revocations'>,
  token: string | undefined,
): Promise<Reader> {
  const before = services.revocations.count;
  const found = token ? await findSession(services.database, token) : null;
  // What has ended during the query was published before this socket was known.
  if (services.revocations.count !== before) return admitReader(services, token);
  if (!found) throw new NotAdmitted(closeCodes.tokenRefused, 'signed out');
  const { id: accountId, orgId, role, mustSetUpTwoFactor } = found.user;
  if (orgId === null || role === null || mustSetUpTwoFactor) {
    throw new NotAdmitted(closeCodes.removed, 'no organization');
  }
  const mayAdmit = roleMay(role, 'calls.update');
  return { orgId, accountId, sessionId: found.session.id, mayAdmit };
}
