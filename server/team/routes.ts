import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import * as contract from '#domain/team/contract.ts';
import { refuseNewAccount } from '#server/auth/doors.ts';
import { hashPassword } from '#server/auth/password.ts';
import { askToVerify } from '#server/auth/verify-email.ts';
import { warnOfCommon } from '#server/auth/warn-of-password.ts';
import { answer, publicRoute, type Site, sessionRoute, tenantRoute } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { languageOf } from '#server/platform/page-looks.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { acceptInvitation, followInvitation } from './accept-invitation.ts';
import * as invitations from './invitation-store.ts';
import { joinByInvitation } from './join-by-invitation.ts';
import * as members from './member-store.ts';

export function teamRoutes(site: Site): void {
  // Each change locks the admins of the organization, and looks the member's open pages up again.
  const changingRoles = limit(site, 'role_changes', 300, 600);
  const linksFrom = (user: SignedInUser, request: FastifyRequest) => ({
    urlOf: (token: string) => `${publicUrl(site.config, request)}/invite/${token}`,
    isMailed: site.mail.leavesMachine,
    language: user.language ?? languageOf(request),
  });
  const deliveryOf = ({ mailed }: { mailed: boolean }) => ({
    mailed: mailed && site.mail.leavesMachine,
    ...(mailed ? {} : { mailLimitReached: true }),
  });

  tenantRoute(site, contract.listUsers, async ({ tenant, query, request }) => {
    const body = await members.listMembers(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.changeRole, async ({ user, tenant, params, body }) => {
    changingRoles(user.id);
    refuseSelf(tenant, params.userId);
    const member = await members.changeRole(tenant, params.userId, body.role);
    return answer(200, member);
  });

  tenantRoute(site, contract.removeUser, async ({ tenant, params }) => {
    refuseSelf(tenant, params.id);
    await members.removeMember(tenant, params.id);
    return answer(204, null);
  });

  tenantRoute(site, contract.endUserSessions, async ({ tenant, params }) => {
    refuseSelf(tenant, params.id);
    await members.endSessionsOfMember(tenant, params.id);
    return answer(204, null);
  });

  tenantRoute(site, contract.listInvitations, async ({ tenant, query, request }) => {
    const body = await invitations.listInvitations(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.inviteUser, async ({ user, tenant, body, request }) => {
    refuseNewAccount(site.config, 'invitation');
    const made = await invitations.invite(tenant, body, linksFrom(user, request), site.config);
    return answer(201, { ...made, ...deliveryOf(made) });
  });

  tenantRoute(site, contract.resendInvitation, async ({ user, tenant, params, request }) => {
    const { id } = params;
    const made = await invitations.resendInvitation(
      tenant,
      id,
      linksFrom(user, request),
      site.config,
    );
    return answer(200, { ...made, ...deliveryOf(made) });
  });

  tenantRoute(site, contract.cancelInvitation, async ({ tenant, params }) => {
    await invitations.cancelInvitation(tenant, params.id);
    return answer(204, null);
  });

  publicRoute(site, contract.readInvitation, async ({ params }) => {
    const { email, organization, hasAccount } = await followInvitation(site.database, params.token);
    return answer(200, { email, organization, hasAccount });
  });

  publicRoute(site, contract.acceptInvitation, async ({ params, body, request, reply }) => {
    refuseNewAccount(site.config, 'invitation');
    const { password, ...person } = body;
    await warnOfCommon(reply, password);
    const passwordHash = await hashPassword(password, networkKey(request.ip));
    const user = await acceptInvitation(
      site,
      params.token,
      { ...person, passwordHash },
      async (tx, made) => {
        if (!site.mail.leavesMachine) return;
        const to = { ...made, language: languageOf(request) };
        await askToVerify(tx, to, publicUrl(site.config, request));
      },
    );
    return answer(201, user);
  });

  sessionRoute(site, contract.joinByInvitation, async ({ body, ...joining }) => {
    return answer(200, await joinByInvitation(site, joining, body));
  });
}

/** Refuses admin actions on the actor's own membership (spec section 6). @throws DomainError 409 */
function refuseSelf(tenant: Tenant, id: AccountId): void {
  if (tenant.actor.kind !== 'user' || tenant.actor.accountId !== id) return;
  throw new DomainError(
    'conflict',
    'own_membership',
    'You can’t change or remove yourself. Ask another admin.',
  );
}
