import { notFound } from '#domain/errors.ts';
import { readRoomOpening } from '#domain/links/contract.ts';
import { joinLimit } from '#domain/links/join-limit.ts';
import { readGuestInvitation } from '#domain/rooms/contract.ts';
import { answer, publicRoute, type Site } from '#server/http/route.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { declaredLimit } from '#server/platform/rate-limit.ts';
import { calendarEntry } from './calendar-entry.ts';
import { guestBrowser } from './guest-browser.ts';
import { inviteGuest, openingOfLink } from './invite-guest.ts';

export function guestRoutes(site: Site): void {
  const joining = declaredLimit(site, joinLimit);
  publicRoute(site, readGuestInvitation, async ({ params, request, reply }) => {
    const body = await inviteGuest(
      site,
      params.token,
      publicUrl(site.config, request),
      guestBrowser(request, reply),
    );
    return answer(200, body);
  });

  publicRoute(site, readRoomOpening, async ({ params }) =>
    answer(200, await openingOfLink(site, params.token)),
  );

  // A plain download like the logos, because calendars on phones open the URL themselves.
  site.http.get<{ Params: { token: string } }>(
    '/join/:token/opening.ics',
    { schema: { hide: true } },
    async (request, reply) => {
      const { token } = request.params;
      joining(request.ip);
      const { room, organization, opensAt, closesAt, now } = await openingOfLink(site, token);
      if (!opensAt || !closesAt) throw notFound();
      const url = `${publicUrl(site.config, request)}/join/${token}`;
      const title = `${room.topic} · ${organization.name}`;
      reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="meeting.ics"')
        .type('text/calendar; charset=utf-8');
      return calendarEntry({ title, url, from: opensAt, to: closesAt, now });
    },
  );
}
