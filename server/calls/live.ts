import { heartbeatSeconds } from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#server/http/route.ts';
import { sameOrigin } from '#server/platform/guards.ts';
import { loopTurns } from '#server/platform/loop-turns.ts';
import { callsClock } from './calls-clock.ts';
import { endExpired, followRevocations, readmit } from './follow-revocations.ts';
import { followHostedRevocations } from './hosted-revocations.ts';
import { openCallsOf } from './live-attendance.ts';
import { LiveConnection } from './live-connection.ts';
import { LiveLobby } from './live-lobby.ts';
import { isConnected } from './live-person.ts';
import { countBytes, type Live, readMessage } from './live-protocol.ts';
import { LiveRooms } from './live-rooms.ts';
import { NewSockets } from './new-sockets.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { Published } from './published.ts';
import { RelayBudget } from './relay-budget.ts';
import { chargeSockets } from './socket-work.ts';
import { WorkBudget } from './work-budget.ts';

/** How often participants are marked as seen, and deserted calls are looked for. */
const clockSeconds = 10;
const silenceSeconds = heartbeatSeconds * 3;

/**
 * `/ws`: the live protocol of domain/calls/live.ts.
 * @param sockets counts the places of all sockets of this process
 * @returns what publishes in its rooms is charged by
 */
export function liveRoutes(site: Site, sockets: OpenSockets): Published {
  const { http, config, log } = site;
  chargeSockets(site.database, config.RATE_LIMIT_SCALE);
  const rooms = new LiveRooms(site, (person) => void readmit(site, live, person));
  const lobby = new LiveLobby(site, rooms);
  const live: Live = {
    site,
    rooms,
    lobby,
    relays: new RelayBudget(),
    work: new WorkBudget(config),
    sockets,
  };
  const connections = new Set<LiveConnection>();
  const newSockets = new NewSockets();

  http.get(
    '/ws',
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
      const stream = request.raw.socket;
      const connection = new LiveConnection(socket, stream, fresh, request.ip);
      // Added after the listener of `ws`, which has read the messages of this chunk.
      stream.on('data', (chunk: Buffer) => countBytes(live, connection, chunk.length));
      connections.add(connection);
      const failed = (error: unknown) => {
        log.error({ err: error, reqId: request.id }, 'a live message failed');
        socket.close(1011, 'internal error');
      };
      socket.on('message', (data) => {
        const text = String(data);
        const bytes = Buffer.byteLength(text);
        const read = () => readMessage(live, connection, text, bytes);
        const readInTurn = () => loopTurns.wait(connection.payer)?.then(read) ?? read();
        connection.queue(
          bytes,
          () =>
            live.work
              .messageTurn(connection.claims, connection)
              ?.then((isTurn) => (isTurn ? readInTurn() : undefined)) ?? readInTurn(),
          failed,
        );
      });
      // Control frames reach no handler, and `ws` answers each ping, so they count like messages.
      for (const frame of ['ping', 'pong'] as const) {
        socket.on(frame, () => {
          if (!connection.rate.lets('ping', Date.now())) socket.terminate();
        });
      }
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
      socket.on('close', (code) => {
        connections.delete(connection);
        connection.work.finally(() => {
          const { entered, outside } = connection;
          if (entered) rooms.detach(entered.person, entered.channel, socket, code);
          if (outside) void lobby.gone(outside);
        });
      });
    },
  );

  const stopFollowing = followRevocations(site, live);
  const stopFollowingHosted = followHostedRevocations(site);
  const silence = setInterval(() => {
    const now = Date.now();
    for (const { receivedAt, socket } of connections) {
      if (now - receivedAt > silenceSeconds * 1000) socket.terminate();
    }
  }, heartbeatSeconds * 1000);
  const present = {
    stillPresent: async () => {
      const connected = rooms.everybody().filter(isConnected);
      const openCalls = openCallsOf(connected, (person) => rooms.callOf(person), site);
      return { people: connected.map(({ admitted }) => admitted.claims.participantId), openCalls };
    },
    renewPresence: () => rooms.renewPresence(),
    endExpired: () => endExpired(site, live),
  };
  const clock = setInterval(callsClock(site, present, new Date()), clockSeconds * 1000);
  http.addHook('preClose', async () => {
    stopFollowing();
    stopFollowingHosted();
    clearInterval(silence);
    clearInterval(clock);
    rooms.close();
    await lobby.close();
    await Promise.all([...connections].map(({ work }) => work));
  });
  return {
    work: live.work,
    receivers: (...event) => rooms.receivers(...event),
    notesTurns: rooms.greetings.notesTurns,
  };
}
