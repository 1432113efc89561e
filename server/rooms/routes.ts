import type { ParamsOf } from '#domain/contract.ts';
import * as contract from '#domain/rooms/contract.ts';
import type { Represented } from '#server/http/entity-tags.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { archiveRoom, restoreRoom, updateRoom } from './change-room.ts';
import { guestToken } from './guest-link.ts';
import { currentGuestLink, type GuestLinkRecord, renewGuestLink } from './guest-link-store.ts';
import { tellLobbyChange } from './lobby-events.ts';
import { openRoom } from './open-room.ts';
import { createRoom, findRoom, holdRoom, listRooms } from './store.ts';

export function roomRoutes(site: Site): void {
  const represented: Represented<ParamsOf<typeof contract.readRoom>> = {
    reading: contract.readRoom,
    hold: (tx, { id }) => holdRoom(tx, id),
  };

  tenantRoute(site, contract.listRooms, async ({ tenant, query, request }) => {
    const body = await listRooms(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.openRoom, async ({ tenant, user, session, params, request }) => {
    const url = publicUrl(site.config, request);
    return answer(200, await openRoom(site, tenant, { user, session }, params.id, url));
  });

  tenantRoute(site, contract.readRoom, async ({ tenant, params }) =>
    answer(200, await findRoom(tenant, params.id)),
  );

  tenantRoute(site, contract.createRoom, async ({ tenant, body }) =>
    answer(201, await createRoom(tenant, body)),
  );

  tenantRoute(
    site,
    contract.updateRoom,
    async ({ tenant, params, body }) => {
      const { room, fields } = await updateRoom(tenant, params.id, body);
      if (fields.includes('lobby'))
        tellLobbyChange(site.bus, { orgId: tenant.orgId, roomId: room.id });
      return answer(200, room);
    },
    represented,
  );

  tenantRoute(
    site,
    contract.archiveRoom,
    async ({ tenant, params }) => {
      const { room, hasChanged } = await archiveRoom(tenant, params.id);
      if (hasChanged) tellLobbyChange(site.bus, { orgId: tenant.orgId, roomId: room.id });
      return answer(200, room);
    },
    represented,
  );

  tenantRoute(
    site,
    contract.restoreRoom,
    async ({ tenant, params }) => answer(200, await restoreRoom(tenant, params.id)),
    represented,
  );

  tenantRoute(site, contract.readGuestLink, async ({ tenant, params, request }) => {
    const link = await currentGuestLink(tenant, params.id);
    return answer(200, linkBody(link, tenant.orgId, publicUrl(site.config, request)));
  });

  tenantRoute(site, contract.renewGuestLink, async ({ tenant, params, request }) => {
    const link = await renewGuestLink(tenant, params.id);
    return answer(201, linkBody(link, tenant.orgId, publicUrl(site.config, request)));
  });

  const linkBody = (
    link: GuestLinkRecord,
    org: Parameters<typeof guestToken>[1],
    base: string,
  ) => ({
    url: `${base}/join/${guestToken(site.secrets, org, link.id)}`,
    createdAt: link.createdAt.toISOString(),
  });
}
