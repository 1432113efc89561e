import { notFound } from '#domain/errors.ts';
import { createOrganization as createOrganizationContract } from '#domain/organizations/contract.ts';
import * as profile from '#domain/profile/contract.ts';
import { createOrganization } from '#server/auth/create-organization.ts';
import { listSessions } from '#server/auth/sessions.ts';
import { warnOfCommon } from '#server/auth/warn-of-password.ts';
import { answer, type Site, sessionRoute } from '#server/http/route.ts';
import { findOrganization } from '#server/organizations/store.ts';
import { setLanguageCookie } from '#server/platform/page-looks.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { portraitRoutes } from './portrait-routes.ts';
import * as store from './store.ts';

/** Registers the endpoints for one's own account, with or without an organization. */
export function profileRoutes(site: Site): void {
  const { database } = site;
  portraitRoutes(site);
  const changing = limit(site, 'profile', 60, 600);
  const changingPassword = limit(site, 'password', 10, 600);
  const creating = limit(site, 'organization', 10, 3600);

  sessionRoute(site, profile.updateProfile, async ({ user, session, body, request, reply }) => {
    changing(user.id);
    const changed = await store.updateProfile(
      database,
      { user, address: request.ip, session },
      body,
    );
    if (body.language !== undefined) setLanguageCookie(request, reply, changed.language);
    return answer(200, changed);
  });

  sessionRoute(site, profile.changePassword, async ({ user, session, body, request, reply }) => {
    changingPassword(user.id);
    await warnOfCommon(reply, body.newPassword);
    const at = publicUrl(site.config, request);
    const self = { user, address: request.ip, session, publicUrl: at };
    await store.changePassword(site, request, self, body);
    return answer(204, null);
  });

  sessionRoute(site, profile.listSessions, async ({ user, session }) =>
    answer(200, await listSessions(database, user.id, session.id)),
  );

  sessionRoute(site, profile.endOtherSessions, async ({ user, session, request }) => {
    changing(user.id);
    const self = { user, address: request.ip, session };
    await store.endOtherSessions(database, self);
    return answer(204, null);
  });

  sessionRoute(site, profile.endSession, async ({ user, session, params, request }) => {
    changing(user.id);
    await store.endOneSession(database, { user, address: request.ip, session }, params.id);
    return answer(204, null);
  });

  sessionRoute(site, createOrganizationContract, async ({ user, session, body, request }) => {
    creating(user.id);
    const self = { user, session, address: request.ip };
    const tenant = await createOrganization(database, self, body.name);
    const organization = await findOrganization(tenant);
    if (!organization) throw notFound();
    return answer(201, organization);
  });
}
