import { createHash } from 'node:crypto';
import * as contract from '#domain/calendar/contract.ts';
import { notFound } from '#domain/errors.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { answerPaceOf } from '#server/platform/bounded-answers.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { asCalendar, calendarVersion } from './as-calendar.ts';
import { callsOfFeed, endFeed, makeFeed, readFeed } from './store.ts';

/** Calls in texts of calendars, of an organization. A thousand take 80 ms. */
const written = new PacedTurns({ burst: 1_000, perSecond: 300 });

export function calendarRoutes(site: Site): void {
  const { config, database, http } = site;
  /** Of one person. */
  const making = limit(site, 'calendar-feeds', 20, 3600);
  tenantRoute(site, contract.readCalendarFeed, async ({ tenant, user }) =>
    answer(200, await readFeed(tenant, user.id)),
  );
  tenantRoute(site, contract.makeCalendarFeed, async ({ tenant, user, session, request }) => {
    making(user.id);
    const { token, createdAt } = await makeFeed(tenant, { user, session });
    return answer(201, { createdAt, url: `${publicUrl(config, request)}/calendar/${token}.ics` });
  });
  tenantRoute(site, contract.removeCalendarFeed, async ({ tenant, user }) => {
    await endFeed(tenant, user.id);
    return answer(204, null);
  });

  // Calendar programs sign in by the address alone.
  http.get<{ Params: { file: string } }>(
    '/calendar/:file',
    {
      schema: { hide: true },
      config: { rateLimit: { name: 'calendar', most: 120, windowSeconds: 600 } },
    },
    async (request, reply) => {
      const token = /^([\w-]+)\.ics$/.exec(request.params.file)?.[1];
      const found = token
        ? await callsOfFeed(database, token, (...of) => answerPaceOf(request, ...of))
        : null;
      if (!found) throw notFound();
      const { calls } = found;
      const home = publicUrl(config, request);
      // Of what the text is made of: most programs have it already.
      const content = JSON.stringify([calendarVersion, home, calls]);
      const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
      // Asked again each time, so that a calendar that has ended is not shown from a cache.
      reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
      const known = request.headers['if-none-match']?.split(',').map((one) => one.trim());
      if (known?.some((one) => one.replace(/^W\//, '') === etag)) return reply.code(304).send();
      await written.turn(found.orgId, found.accountId, new AbortController().signal, calls.length);
      return reply.type('text/calendar; charset=utf-8').send(await asCalendar(calls, home));
    },
  );
}
