import type { z } from 'zod';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { joinBody } from '#domain/team/contract.ts';
import { holdSession } from '#server/auth/keep-session.ts';
import { refuseOwnedDomain } from '#server/auth/refuse-owned-domain.ts';
import { rotateSessionsOf } from '#server/auth/rotate-session.ts';
import { type CurrentSession, endSessionsOf } from '#server/auth/sessions.ts';
import type { Arrival } from '#server/auth/sign-in.ts';
import { mustUseSso } from '#server/auth/sso-requirement.ts';
import { memberships } from '#server/auth/tables.ts';
import { verifyAddress } from '#server/auth/verify-address.ts';
import { clearSessionCookie } from '#server/http/session-cookie.ts';
import type { Services } from '#server/services.ts';
import {
  type FollowedInvitation,
  followInvitation,
  newMemberTenant,
  useInvitation,
} from './accept-invitation.ts';
import { leaveOrganization } from './leave-organization.ts';

interface Joining extends Arrival {
  user: SignedInUser;
  session: CurrentSession;
}

/**
 * Makes the signed-in account a member of the organization that invited its address. The mailed link verifies
 * the address.
 * @returns `mustSignIn` if the organization requires single sign-on, so that the person has to sign in again
 * @throws DomainError as `followInvitation` and `leaveOrganization`; 401 if the session ended in the
 * meantime; 403 `own_sign_in_needed` if another organization's provider began the session, `domain_owned`;
 * 409 `other_account` for an address other than the invited one, `already_joined`, `in_other_organization`
 * unless the body asks to leave it
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
  // Checked before leaving; adding the member checks again.
  await invitation.tenant.connection((at) => refuseOwnedDomain(at, user.email, orgId));
  if (user.orgId !== null) {
    if (!mayLeave) throw inOtherOrganization();
    await leaveOrganization(services, joining);
  }
  await addMember(services, invitation, joining);
  return { mustSignIn: await endWhereSsoIsRequired(services, joining) };
}

async function addMember(
  { database }: Services,
  invitation: FollowedInvitation,
  { user, session, request }: Joining,
): Promise<void> {
  const { role, isMailed, tenant } = invitation;
  const from = { orgId: tenant.orgId, address: request.ip };
  const member = { accountId: user.id, role };
  // The joined organization may not accept this session, so the session is checked under the lock.
  await newMemberTenant(database, from, member, 'checked-first').transaction(async (tx) => {
    await holdSession(tx, user, session);
    await tx.db.insert(memberships).values({
      orgId: from.orgId,
      ...member,
      cameByCopiedLink: !isMailed && user.mustVerifyEmail,
      createdAt: new Date(),
    });
    await useInvitation(tx, invitation, member);
    if (isMailed) await verifyAddress(tx, user.id, session);
    await rotateSessionsOf(tx, user.id);
  });
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
    `This invitation is for ${email}. Sign out, and sign in with that address.`,
  );

/** Another organization's provider authenticated this session. It must not choose where the person works. */
const ownSignInNeeded = () =>
  new DomainError(
    'forbidden',
    'own_sign_in_needed',
    'You signed in with your organization’s SSO. To join another one, sign out and sign in with a password. “Forgot password?” mails you a link to set one.',
  );

const alreadyMember = () =>
  new DomainError('conflict', 'already_joined', 'You are a member of this organization already.');

const inOtherOrganization = () =>
  new DomainError(
    'conflict',
    'in_other_organization',
    'You are in another organization. Leave it to accept this invitation.',
  );
