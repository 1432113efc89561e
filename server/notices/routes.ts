import { tryAgainLater } from '#domain/calls/close-codes.ts';
import { DomainError } from '#domain/errors.ts';
import * as contract from '#domain/notices/contract.ts';
import { NotAdmitted } from '#server/calls/admit-participant.ts';
import { NewSockets } from '#server/calls/new-sockets.ts';
import type { OpenSockets } from '#server/calls/open-sockets.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { sessionToken } from '#server/http/session-cookie.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { sameOrigin } from '#server/platform/guards.ts';
import { inTurnsOf } from '#server/platform/outside-turns.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import { admitReader } from './admit-reader.ts';
import { decideOnLobby } from './decide.ts';
import { LiveNotices } from './live-notices.ts';
import { NoticePage } from './notice-page.ts';
import { readPings } from './read-pings.ts';

/** Connections of an account: each reads what happens in all rooms of its organization. */
const connections = { burst: 60, perSecond: 1 };

/** `/ws/notices`, the protocol of domain/notices/live.ts, and what people do about notices. */
export function noticeRoutes(site: Site, sockets: OpenSockets): void {
  const { http, config, log } = site;
  const notices = new LiveNotices(site);
  const newSockets = new NewSockets();
  const allowance = new Allowance(connections, config.RATE_LIMIT_SCALE);

  http.get(
    '/ws/notices',
    {
      websocket: true,
      schema: { hide: true },
      preValidation: async (request) => {
        if (sameOrigin(config, request)) return newSockets.refuseMore(request.ip);
        throw new DomainError('forbidden', 'foreign_origin', 'This page isn’t allowed to connect.');
      },
    },
    (socket, request) => {
      const fresh = newSockets.watch(socket, request.raw.socket, request.ip);
      readPings(socket, request.raw.socket);
      socket.on('error', (error) => log.debug({ err: error }, 'a socket of notices failed'));
      const admit = async () => {
        const reader = await inTurnsOf(request.ip, () => admitReader(site, sessionToken(request)));
        if (allowance.take(reader.accountId, 1) > 0) {
          throw new NotAdmitted(tryAgainLater, 'too many connections');
        }
        if (socket.readyState !== socket.OPEN) return;
        sockets.takeNoticePlace(socket, reader.orgId, reader.accountId);
        fresh.letIn();
        notices.add(new NoticePage(socket, reader));
      };
      admit().catch((error) => {
        if (error instanceof NotAdmitted) return socket.close(error.closeCode, error.message);
        log.error({ err: error, reqId: request.id }, 'a socket of notices could not be opened');
        socket.close(1011, 'internal error');
      });
    },
  );
  http.addHook('preClose', async () => notices.close());

  tenantRoute(site, contract.decideOnLobby, async ({ tenant, params, body }) => {
    const decisions = await decideOnLobby(tenant, params.id, body.guests, body.decision);
    const { orgId } = tenant;
    tellLobbyChange(site.bus, { orgId, roomId: params.id, guests: body.guests });
    return answer(200, decisions);
  });
}
