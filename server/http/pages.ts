import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAppPath } from '#domain/app/paths.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { roomId } from '#domain/ids.ts';
import { joinLimit } from '#domain/links/join-limit.ts';
import type { MeetBoot } from '#domain/rooms/boot.ts';
import type { Config } from '#server/config.ts';
import { redeemEmbedToken } from '#server/embedding/redeem-embed-token.ts';
import { organizationOf, originsOf } from '#server/embedding/store.ts';
import { personalRoomLink } from '#server/links/personal-room-link.ts';
import { guestBrowser } from '#server/rooms/guest-browser.ts';
import { inviteGuest, openingOfLink, roomClosedNow } from '#server/rooms/invite-guest.ts';
import { openRoom } from '#server/rooms/open-room.ts';
import { blurPolicy, blurProgram, meetingPolicy } from '../platform/meeting-policy.ts';
import { boundOpenFiles } from '../platform/open-files.ts';
import { languageOf, withLooks } from '../platform/page-looks.ts';
import { letCardForm } from '../platform/payment-policy.ts';
import { publicUrl } from '../platform/public-url.ts';
import { declaredLimit, limit } from '../platform/rate-limit.ts';
import { allowFraming } from '../platform/security-headers.ts';
import { withDescription } from './page-description.ts';
import { type Site, sessionOf, tenantOfUser } from './route.ts';
import { sendWaitPage } from './wait-page.ts';

const hidden = { schema: { hide: true } };

/**
 * Serves the HTML of the pages. The call page and the guest's page contain the data of their first
 * request, so that a call starts without waiting for one.
 */
export async function pageRoutes(site: Site, pagesDir: string | null): Promise<void> {
  const { http } = site;
  // Slows down guessing names.
  const calling = limit(site, 'meet_me', 60, 60);
  if (pagesDir === null) {
    http.setNotFoundHandler(() => {
      throw notFound();
    });
    return;
  }
  const read = (name: string) =>
    withLegal(readFileSync(join(pagesDir, `${name}.html`), 'utf8'), site.config);
  const app = withCards(read('app'), site.billing !== null);
  const built = read('meet');
  const letMeetingPage = meetingPolicy(built);
  const meet = withMediaServer(built, site.video.name === 'livekit');

  await http.register(async (files) => {
    boundOpenFiles(files, 'pages');
    await files.register(fastifyStatic, {
      root: pagesDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      // The names of built assets contain a hash of their content.
      setHeaders: (reply, path) => {
        const kept = path.includes('/assets/') ? 'max-age=31536000, immutable' : 'max-age=3600';
        reply.header('cache-control', `public, ${kept}`);
        if (blurProgram.test(path)) reply.header('content-security-policy', blurPolicy);
        // Other sites show this image as the preview of a shared link.
        if (path.endsWith('og.png')) reply.header('cross-origin-resource-policy', 'cross-origin');
        // Other sites load the element for embedded calls.
        if (/\/embed\/v\d+\.js(\.gz)?$/.test(path)) {
          reply.header('cross-origin-resource-policy', 'cross-origin');
          reply.header('access-control-allow-origin', '*');
        }
      },
    });
  });

  if (site.billing) {
    http.get('/app/settings/billing', hidden, async (request, reply) => {
      letCardForm(reply);
      return html(request, reply, app.replace('</head>', '<meta name="card-form" /></head>'));
    });
  }
  http.get<{ Params: { id: string } }>('/app/rooms/:id/call', hidden, async (request, reply) =>
    html(request, reply, withBoot(app, await callBoot(site, request))),
  );
  http.get<{ Params: { token: string } }>('/join/:token', hidden, async (request, reply) => {
    const { token } = request.params;
    const tooMany = tooManyOf(site, request);
    if (tooMany) return sendWaitPage(request, reply, tooMany);
    const [boot, origins] = await Promise.all([
      guestBoot(site, request, reply),
      originsOf(site, organizationOf(site, token)),
    ]);
    return sendGuestPage(request, reply, boot, origins);
  });
  // A HEAD request would use the token up.
  const embedded = { ...hidden, exposeHeadRoute: false };
  http.get<{ Params: EmbedParams }>('/embed/:room/:token', embedded, async (request, reply) => {
    const tooMany = tooManyOf(site, request);
    if (tooMany) return sendWaitPage(request, reply, tooMany);
    const origins = await originsOf(site, organizationOf(site, request.params.token));
    return sendGuestPage(request, reply, await embedBoot(site, request, reply), origins);
  });
  const sendGuestPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    boot: Exclude<MeetBoot, { kind: 'refused' }> | ReturnType<typeof refusedBoot>,
    origins: string[],
  ) => {
    allowFraming(reply, origins);
    // With this header the browser would start a new process before the page can begin (25 ms,
    // bench/join.ts). The page opens no windows and has no signed-in user.
    reply.removeHeader('cross-origin-opener-policy');
    letMeetingPage(reply);
    const page = withEmbedders(withBoot(meet, boot), origins);
    return html(request, reply, page, boot.kind === 'refused' ? boot.status : 200);
  };
  http.get<{ Params: { slug: string } }>('/meet-me/:slug', hidden, async (request, reply) => {
    calling(request.ip);
    try {
      const address = await personalRoomLink(site, request.params.slug);
      return await reply.header('cache-control', 'no-store').redirect(address);
    } catch (error) {
      const boot = refusedBoot(error);
      letMeetingPage(reply);
      return html(request, reply, withBoot(meet, boot), boot.status);
    }
  });
  http.get('/meet/:roomId', hidden, async (request, reply) => {
    letMeetingPage(reply);
    return html(request, reply, meet);
  });
  http.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('html');
    if (!wantsPage || request.url.startsWith('/api/')) throw notFound();
    return html(request, reply, app, isAppPath(request.url.split('?')[0] ?? '') ? 200 : 404);
  });
}

function html(request: FastifyRequest, reply: FastifyReply, page: string, status = 200) {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(withDescription(withLooks(page, request), languageOf(request)));
}

/** Adds the URLs of the operator's privacy notice and terms, for web/ui/legal-links.tsx. */
function withLegal(page: string, { PRIVACY_URL, TERMS_URL }: Config): string {
  const metas = [
    ['privacy-url', PRIVACY_URL],
    ['terms-url', TERMS_URL],
  ].flatMap(([name, url]) =>
    url ? [`<meta name="${name}" content="${new URL(url).href.replaceAll('"', '%22')}" />`] : [],
  );
  return page.replace('</head>', () => `${metas.join('')}</head>`);
}

/** Tells the pages that plans have limits, so that they show the trial. */
const withCards = (page: string, hasProvider: boolean) =>
  hasProvider ? page.replace('</head>', '<meta name="trials" /></head>') : page;

/** Loads LiveKit's client beside the page's own code if every call uses it, otherwise on demand. */
function withMediaServer(page: string, atOnce: boolean): string {
  const link = /<link rel="livekit"([^>]*)>/g;
  if (!atOnce) return page.replace(link, '');
  return page
    .replace(link, '<link rel="preload" as="script"$1>')
    .replace('</head>', '<meta name="media-server" /></head>');
}

/** Tells the page in a frame which sites it may exchange messages with. Origins have no character of HTML. */
const withEmbedders = (page: string, origins: string[]) =>
  origins.length === 0
    ? page
    : page.replace('</head>', `<meta name="embedders" content="${origins.join(' ')}" /></head>`);

function withBoot(page: string, boot: unknown): string {
  if (boot === null) return page;
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  return page.replace(
    '<!--boot-->',
    () => `<script type="application/json" id="boot">${json}</script>`,
  );
}

async function callBoot(site: Site, request: FastifyRequest<{ Params: { id: string } }>) {
  const id = roomId.safeParse(request.params.id);
  if (!id.success) return null;
  try {
    const self = await sessionOf(site, request);
    const tenant = tenantOfUser(site, self, request, 'rooms.read');
    const room = await openRoom(site, tenant, self, id.data, publicUrl(site.config, request));
    return { user: self.user, room, servedAt: new Date().toISOString() };
  } catch (error) {
    // Signed out, or another organization's room: the page sends the request and gets the error.
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Counts the opening of a guest's page. @returns why it is refused; null within the rate of its address */
function tooManyOf(site: Site, request: FastifyRequest): DomainError | null {
  try {
    declaredLimit(site, joinLimit)(request.ip);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

async function guestBoot(
  site: Site,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
) {
  try {
    const invitation = await inviteGuest(
      site,
      request.params.token,
      publicUrl(site.config, request),
      guestBrowser(request, reply),
    );
    const { organization, room, meetingToken } = invitation;
    const kind = site.video.page ? ('hosted' as const) : ('guest' as const);
    return { kind, organization, room, meetingToken };
  } catch (error) {
    if (error instanceof DomainError && error.code === roomClosedNow) {
      return { kind: 'closed' as const, ...(await openingOfLink(site, request.params.token)) };
    }
    return refusedBoot(error);
  }
}

interface EmbedParams {
  room: string;
  token: string;
}

async function embedBoot(
  site: Site,
  request: FastifyRequest<{ Params: EmbedParams }>,
  reply: FastifyReply,
) {
  try {
    const invitation = await redeemEmbedToken(site, {
      ...request.params,
      browser: guestBrowser(request, reply),
      address: request.ip,
      publicUrl: publicUrl(site.config, request),
    });
    return { kind: site.video.page ? ('hosted' as const) : ('guest' as const), ...invitation };
  } catch (error) {
    return refusedBoot(error);
  }
}

/**
 * Returns why a link is invalid, for its page.
 * @throws errors other than DomainError
 */
function refusedBoot(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  const { code, message, status } = error;
  return { kind: 'refused' as const, code, message, status };
}
