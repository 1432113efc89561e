import type { z } from 'zod';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { joinBody } from '#domain/team/contract.ts';
import { credentialsRemovedEmail } from '#server/auth/credentials-removed-email.ts';
import { joinedEmail } from '#server/auth/joined-email.ts';
import { holdSession } from '#server/auth/keep-session.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import { ownerOfAddress, refuseOwnedDomain } from '#server/auth/refuse-owned-domain.ts';
import { rotateSessionsOf } from '#server/auth/rotate-session.ts';
import { type CurrentSession, endSessionsOf } from '#server/auth/sessions.ts';
import type { Arrival } from '#server/auth/sign-in.ts';
import { mustUseSso } from '#server/auth/sso-requirement.ts';
import { memberships } from '#server/auth/tables.ts';
import { removeCredentials, verifyAddress } from '#server/auth/verify-address.ts';
import { clearSessionCookie } from '#server/http/session-cookie.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { actsBriefly } from '#server/platform/database-timeouts.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import {
  type FollowedInvitation,
  followInvitation,
  markInvitationAccepted,
  newMemberTenant,
} from './accept-invitation.ts';
import { leaveOrganization } from './leave-organization.ts';

interface Joining extends Arrival {
  user: SignedInUser;
  session: CurrentSession;
}

/**
 * Makes the signed-in account a member of the organization that invited its address. The mailed link
 * verifies the address.
 * @returns whether the person has to sign in again, since the organization requires single sign-on
 * @throws DomainError as `followInvitation`; 403 `own_sign_in_needed` where another organization's
 *   provider began the session; 409 `other_account` for another address than the invited one, `already_joined`, `in_other_organization` unless the body says to leave it; 403 `domain_owned`;
 *   401 where the session ended meanwhile; as `leaveOrganization`. Then nothing was changed
 */
export async function joinByInvitation(
  services: Services,
  joining: Joining,
  { invitation: token, leaveOrganization: mayLeave }: z.infer<typeof joinBody>,
): Promise<{ mustSignIn: boolean }> {
  const { user, session } = joining;
  const invitation = await followInvitation(services.database, token);
  const { orgId } = invitation.tenant;
  if (user.email !== invitation.email) throw otherAccount(invitation.email);
  if (user.orgId === orgId) throw alreadyMember();
  if (session.ssoOrgId !== null) throw ownSignInNeeded();
  // Before anything of the organization that is left is locked; adding the member looks again.
  await invitation.tenant.connection((at) => refuseOwnedDomain(at, user.email, orgId));
  const from = { orgId, address: joining.request.ip };
  const member = { accountId: user.id, role: invitation.role };
  // The session may not suffice in the organization that is joined: it is looked at under the lock.
  const tenant = newMemberTenant(services.database, from, member, 'checked-first');
  const profileUrl = `${publicUrl(services.config, joining.request)}/app/settings/profile`;
  const add = async (tx: TenantConnection) => {
    // Who is kept waiting by the joined organization holds the account, and locks of the one that is left.
    await tx.run(actsBriefly, []);
    await addMember(tx, invitation, joining, profileUrl);
  };
  if (user.orgId === null) await tenant.transaction(add);
  else if (!mayLeave) throw inOtherOrganization();
  else {
    await leaveOrganization(services, joining, (left) => tenant.continueTransaction(left, add));
  }
  return { mustSignIn: await endWhereSsoIsRequired(services, joining) };
}

async function addMember(
  tx: TenantConnection,
  invitation: FollowedInvitation,
  { user, session }: Joining,
  profileUrl: string,
): Promise<void> {
  const { role, isMailed } = invitation;
  const member = { accountId: user.id, role };
  await holdSession(tx, user, session);
  await tx.db.insert(memberships).values({
    orgId: tx.tenant.orgId,
    ...member,
    cameByCopiedLink: !isMailed && user.mustVerifyEmail,
    createdAt: new Date(),
  });
  await markInvitationAccepted(tx, invitation, member);
  await removeOthersCredentials(tx, { user, session, isMailed }, profileUrl);
  await rotateSessionsOf(tx, user.id);
}

/**
 * Removes what others may have set up to sign in to the account, and mails its owner about it: before the
 * first verification anyone could have, and before joining the owner of the domain whoever had the address.
 */
async function removeOthersCredentials(
  tx: TenantConnection,
  { user, session, isMailed }: Pick<Joining, 'user' | 'session'> & { isMailed: boolean },
  profileUrl: string,
): Promise<void> {
  const first = isMailed ? await verifyAddress(tx, user.id, session) : null;
  const language = user.language ?? 'en';
  if ((await ownerOfAddress(tx, user.email)) === tx.tenant.orgId) {
    const hasRemoved = await removeCredentials(tx, user.id, session);
    if (hasRemoved || first?.hasRemoved)
      await mailAccount(tx, user, 'joined', joinedEmail(language, 'invitation', profileUrl));
  } else if (first?.hasRemoved) {
    const content = credentialsRemovedEmail(language, profileUrl, null);
    await mailAccount(tx, user, 'credentialsRemoved', content);
  }
}

/**
 * Ends the session if the joined organization requires its single sign-on. Joining does not authenticate, so
 * otherwise the session stays as it began.
 * @returns whether it ended
 */
async function endWhereSsoIsRequired(
  { database }: Services,
  { user, request, reply }: Joining,
): Promise<boolean> {
  if (!(await mustUseSso(database, user.id))) return false;
  await database.transaction('outside', (tx) => endSessionsOf(tx, user.id));
  clearSessionCookie(request, reply);
  return true;
}

const otherAccount = (email: string) =>
  new DomainError(
    'conflict',
    'other_account',
    `This invitation is for ${email}. Sign out, then sign in with that address.`,
  );

/** Another organization's provider authenticated this session. It must not choose where the person works. */
const ownSignInNeeded = () =>
  new DomainError(
    'forbidden',
    'own_sign_in_needed',
    'You signed in with your organization’s SSO. To join another one, sign out and sign in with a password. “Forgot password?” emails you a link to set one.',
  );

const alreadyMember = () =>
  new DomainError('conflict', 'already_joined', 'You’re already a member of this organization.');

const inOtherOrganization = () =>
  new DomainError(
    'conflict',
    'in_other_organization',
    'You’re in another organization. Leave it to accept this invitation.',
  );
