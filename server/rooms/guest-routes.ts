import { readGuestInvitation } from '#domain/rooms/contract.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { answer, publicRoute, type Site } from '#server/platform/route.ts';
import { inviteGuest } from './invite-guest.ts';

export function guestRoutes(site: Site): void {
  const joining = limit(site, 'join', 120, 60);
  publicRoute(site, readGuestInvitation, async ({ params, request }) => {
    joining(request.ip);
    const body = await inviteGuest(site, params.token, publicUrl(site.config, request));
    return answer(200, body);
  });
}
