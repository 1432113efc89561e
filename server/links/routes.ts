import { notFound } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import * as contract from '#domain/links/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { guestToken } from '#server/rooms/guest-link.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import * as access from './access-store.ts';
import * as links from './link-store.ts';
import { type PersonalRoomRecord, personalRoomOf } from './personal-room.ts';
import { renamePersonalRoom } from './room-slugs.ts';

export function linkRoutes(site: Site): void {
  const renaming = limit(site, 'rename', 20, 3600);
  const withUrl = (link: links.LinkRecord, org: OrgId, base: string) => ({
    ...link,
    url: `${base}/join/${guestToken(site.secrets, org, link.id)}`,
  });
  const withAddress = (room: PersonalRoomRecord, base: string) => ({
    ...room,
    url: `${base}/meet-me/${room.slug}`,
  });

  tenantRoute(site, contract.listLinks, async ({ tenant, params, query, request }) => {
    const found = await links.listLinks(tenant, params.id, query);
    const base = publicUrl(site.config, request);
    const body = found.map((link) => withUrl(link, tenant.orgId, base));
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.createLink, async ({ tenant, params, body, request }) => {
    const link = await links.createLink(tenant, params.id, body);
    return answer(201, withUrl(link, tenant.orgId, publicUrl(site.config, request)));
  });

  tenantRoute(site, contract.revokeLink, async ({ tenant, params, request }) => {
    const { link, hasChanged } = await links.revokeLink(tenant, params.id);
    if (hasChanged) tellLobbyChange(site.bus, { orgId: tenant.orgId, roomId: link.roomId });
    return answer(200, withUrl(link, tenant.orgId, publicUrl(site.config, request)));
  });

  tenantRoute(site, contract.readGuestAccess, async ({ tenant, params }) =>
    answer(200, await access.readGuestAccess(tenant, params.id)),
  );

  tenantRoute(
    site,
    contract.changeGuestAccess,
    async ({ tenant, params, body: given }) => {
      const { access: body, hasChanged } = await access.changeGuestAccess(tenant, params.id, given);
      if (hasChanged) tellLobbyChange(site.bus, { orgId: tenant.orgId, roomId: params.id });
      return answer(200, body);
    },
    { reading: contract.readGuestAccess, hold: (tx, { id }) => access.holdGuestAccess(tx, id) },
  );

  tenantRoute(site, contract.readWaitingText, async ({ tenant, params }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    return answer(200, { waitingText: await access.readWaitingText(tenant) });
  });

  tenantRoute(site, contract.changeWaitingText, async ({ tenant, params, body }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    await access.changeWaitingText(tenant, body.waitingText);
    return answer(200, body);
  });

  tenantRoute(site, contract.readPersonalRoom, async ({ tenant, request }) =>
    answer(200, withAddress(await personalRoomOf(tenant), publicUrl(site.config, request))),
  );

  tenantRoute(site, contract.renamePersonalRoom, async ({ tenant, body, request }) => {
    renaming(tenant.orgId);
    const room = await renamePersonalRoom(tenant, body.slug);
    return answer(200, withAddress(room, publicUrl(site.config, request)));
  });
}
