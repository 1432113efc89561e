import type { WebSocket } from 'ws';
import type { z } from 'zod/mini';
import {
  closeCodes,
  heartbeatSeconds,
  protocolVersion,
  type ToServer,
  toServer,
} from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#server/http/route.ts';
import { exceeds, ordinaryBounds } from '#server/platform/bounded-json.ts';
import { sameOrigin } from '#server/platform/guards.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { type Admitted, admitByClaims, NotAdmitted, readHello } from './admit-participant.ts';
import { touchAttendances } from './attendance-store.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';
import { followRevocations, readmit } from './follow-revocations.ts';
import { LiveLobby, type Waiting } from './live-lobby.ts';
import type { Person } from './live-person.ts';
import { type Expected, LiveRooms } from './live-rooms.ts';
import { mailAboutWaiting } from './mail-lobby.ts';
import { handleMessage } from './message-handlers.ts';
import { isTooLong, longestOfGuests, MessageRateLimiter } from './message-rate.ts';
import { type NewSocket, NewSockets } from './new-sockets.ts';
import { OpenSockets } from './open-sockets.ts';
import { RelayBudget } from './relay-budget.ts';
import type { Channel } from './room-events.ts';
import { countUse, takeLimitedLink } from './use-link.ts';
import { WorkBudget } from './work-budget.ts';

/** How often participants are marked as seen, and deserted calls are looked for. */
const clockSeconds = 10;
const silenceSeconds = heartbeatSeconds * 3;
/**
 * Beyond either bound, a socket is paused until its messages are handled, so that a flood waits in
 * its own network.
 */
const mostWaiting = 100;
const mostWaitingBytes = 64 * 1024;

type Hello = Extract<ToServer, { type: 'hello' }>;

/** One socket, from hello to its end. */
interface Line {
  socket: WebSocket;
  /** Bounds the socket until its token is accepted. */
  fresh: NewSocket;
  heardAt: number;
  entered: { person: Person; channel: Channel } | null;
  /** Set instead of `entered` while a guest is in the preview or lobby. */
  outside: Waiting | null;
  /** Messages are handled one after the other: an edit is stored before the next message is handled. */
  work: Promise<void>;
  gate: MessageRateLimiter;
  waiting: number;
  waitingBytes: number;
  /** Sent too much: nothing more of it is handled. */
  isCutOff: boolean;
  /** Aborted when the socket closes. */
  closed: AbortController;
}

/** `/ws`: the live protocol of domain/calls/live.ts. */
export function liveRoutes(site: Site): void {
  const { http, config, log } = site;
  const rooms = new LiveRooms(site);
  const lobby = new LiveLobby(site, rooms);
  const live = {
    site,
    rooms,
    lobby,
    relays: new RelayBudget(),
    work: new WorkBudget(config),
    sockets: new OpenSockets(),
  };
  const lines = new Set<Line>();
  const newSockets = new NewSockets();

  http.get(
    '/ws',
    {
      websocket: true,
      schema: { hide: true },
      preValidation: async (request) => {
        if (sameOrigin(config, request)) return newSockets.refuseMore(request.ip);
        throw new DomainError('forbidden', 'foreign_origin', 'This page may not connect here.');
      },
    },
    (socket, request) => {
      const fresh = newSockets.watch(socket, request.raw.socket, request.ip);
      const line = newLine(socket, fresh);
      lines.add(line);
      socket.on('message', (data) => {
        const text = String(data);
        const bytes = Buffer.byteLength(text);
        receive(line, bytes);
        line.work = line.work
          .then(() => read(live, line, text, bytes, request.ip))
          .catch((error) => {
            log.error({ err: error, reqId: request.id }, 'a live message failed');
            socket.close(1011, 'internal error');
          })
          .finally(() => handled(line, bytes));
      });
      // Control frames reach no handler, and `ws` answers each ping, so they count like messages.
      for (const frame of ['ping', 'pong'] as const) {
        socket.on(frame, () => {
          if (!line.gate.lets('ping', Date.now())) socket.terminate();
        });
      }
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
      socket.on('close', (code) => {
        lines.delete(line);
        line.closed.abort();
        line.work.finally(() => {
          if (line.entered) rooms.detach(line.entered.person, line.entered.channel, socket, code);
          if (line.outside) void lobby.gone(line.outside);
        });
      });
    },
  );

  const stopFollowing = followRevocations(site, live);
  const upSince = new Date();
  const silence = setInterval(() => {
    const now = Date.now();
    for (const line of lines) {
      if (now - line.heardAt > silenceSeconds * 1000) line.socket.terminate();
    }
  }, heartbeatSeconds * 1000);
  const clock = setInterval(() => {
    const failed = (error: unknown) => log.error({ err: error }, 'the clock of the calls failed');
    rooms
      .stillPresent()
      .then((ids) => touchAttendances(site.database, ids))
      .then(() => closeDesertedCalls(site, new Date(), upSince))
      .then(() => mailAboutWaiting(site, new Date()))
      .catch(failed);
  }, clockSeconds * 1000);
  http.addHook('preClose', async () => {
    stopFollowing();
    clearInterval(silence);
    clearInterval(clock);
    rooms.close();
    await lobby.close();
    await Promise.all([...lines].map((line) => line.work));
  });
}

const newLine = (socket: WebSocket, fresh: NewSocket): Line => ({
  socket,
  fresh,
  heardAt: Date.now(),
  entered: null,
  outside: null,
  work: Promise.resolve(),
  gate: new MessageRateLimiter(Date.now()),
  waiting: 0,
  waitingBytes: 0,
  isCutOff: false,
  closed: new AbortController(),
});

function receive(line: Line, bytes: number): void {
  line.heardAt = Date.now();
  line.waiting += 1;
  line.waitingBytes += bytes;
  const isKnown = line.entered !== null || line.outside !== null;
  // Until its hello is answered, a socket is not read further.
  if (!isKnown || line.waiting > mostWaiting || line.waitingBytes > mostWaitingBytes) {
    line.socket.pause();
  }
}

function handled(line: Line, bytes: number): void {
  line.heardAt = Date.now();
  line.waiting -= 1;
  line.waitingBytes -= bytes;
  if (line.waiting === 0) line.socket.resume();
}

/** This process's state of the live protocol. */
interface Live {
  site: Site;
  rooms: LiveRooms;
  lobby: LiveLobby;
  relays: RelayBudget;
  work: WorkBudget;
  sockets: OpenSockets;
}

/** Not an async function, which would keep the text for as long as its message waits. */
function read(
  live: Live,
  line: Line,
  text: string,
  bytes: number,
  address: string,
): Promise<void> | undefined {
  if (line.isCutOff) return undefined;
  const claims = claimsOf(line);
  const parsed = claims?.kind !== 'staff' && bytes > longestOfGuests ? null : parse(text);
  if (!parsed || isTooLong(parsed, bytes)) {
    line.socket.close(closeCodes.badMessage, 'bad message');
    return undefined;
  }
  const isWithin = line.gate.lets(parsed.type, Date.now(), text.length);
  if (!isWithin || (claims && !live.work.letsBytes(claims, address, bytes))) {
    cutOff(live.rooms, line);
    return undefined;
  }
  return handle(live, line, parsed, bytes, address);
}

const claimsOf = ({ entered, outside }: Line): MeetingClaims | undefined =>
  (entered?.person ?? outside)?.admitted.claims;

async function handle(
  live: Live,
  line: Line,
  parsed: ToServer,
  bytes: number,
  address: string,
): Promise<void> {
  const { site, rooms, lobby, relays } = live;
  if (!line.entered) {
    if (parsed.type === 'hello') await enter(live, line, parsed, address);
    else if (line.outside) await lobby.hear(line.outside, parsed);
    else line.socket.close(closeCodes.badMessage, 'hello first');
    return;
  }
  const { person, channel } = line.entered;
  const session = person.sessions.get(channel);
  if (session?.socket !== line.socket) return;
  if (!relays.lets(person.admitted.claims.participantId, parsed, bytes, Date.now())) {
    cutOff(rooms, line);
    return;
  }
  if (parsed.type === 'hello') return;
  if (parsed.type === 'ping') {
    session.acknowledged(parsed.sequence);
    line.socket.send('{"type":"pong"}');
  } else if (parsed.type === 'leave') {
    line.entered = null;
    rooms.leave(person, channel);
    line.socket.close(1000, 'left');
  } else {
    const { claims } = person.admitted;
    const hasTurn = await live.work.turn({
      claims,
      type: parsed.type,
      address,
      participants: rooms.participantsOf(claims.roomId),
      closed: line.closed.signal,
    });
    if (!hasTurn || person.sessions.get(channel)?.socket !== line.socket) return;
    await handleMessage({ services: site, rooms, person, session }, parsed.type, parsed);
  }
}

/** Closes a socket that exceeded its rate limit. Its unhandled messages are ignored. */
function cutOff(rooms: LiveRooms, line: Line): void {
  const { entered, socket } = line;
  line.isCutOff = true;
  line.entered = null;
  if (entered) rooms.expel(entered.person, closeCodes.flooding, 'too many messages');
  socket.close(closeCodes.flooding, 'too many messages');
}

async function enter(
  { site, rooms, lobby, relays, work, sockets }: Live,
  line: Line,
  hello: Hello,
  address: string,
): Promise<void> {
  if (hello.protocol !== protocolVersion) {
    line.socket.close(closeCodes.protocolTooOld, 'reload the page');
    return;
  }
  let expected: Expected | undefined;
  try {
    const heard = site.revocations.count;
    const claims = await readHello(site, hello);
    work.hello(claims, address);
    const { admitted, room } = await line.fresh.hello(hello.token, async () => {
      // The socket closed while others of its link and address were looked up.
      if (line.closed.signal.aborted) throw new NotAdmitted(closeCodes.silent, 'closed');
      expected = await rooms.expect(claims.roomId);
      return { admitted: await admitByClaims(site, claims, hello.name, address), room: expected };
    });
    work.admitted(claims);
    sockets.takePlace(line.socket, admitted, hello.channel);
    line.fresh.letIn();
    if (line.outside) await lobby.replaced(line.outside);
    line.outside = null;
    if (isOutside(admitted, hello)) {
      line.outside = await lobby.hold(line.socket, admitted, hello, address);
      if (site.revocations.count !== heard)
        lobby.lookAgainAt((claims) => claims === admitted.claims);
      return;
    }
    if (!relays.letsOffer(admitted.claims.participantId, hello.offer, Date.now())) {
      throw new NotAdmitted(closeCodes.flooding, 'too many messages');
    }
    if (hello.media) await takeLimitedLink(admitted);
    const person = await rooms.enter(admitted, hello, line.socket, room);
    line.entered = { person, channel: hello.channel };
    lobby.greet(person);
    // A revocation during this hello was published before this participant was in the room.
    if (site.revocations.count !== heard) await readmit(site, { rooms, lobby }, person);
    await rooms.greet(person, hello.channel);
    if (hello.media) await countUse(admitted);
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    line.socket.close(error.closeCode, error.message);
  } finally {
    expected?.stop();
  }
}

/** Guests receive the meeting's messages once they are in it, not in its preview or lobby. */
const isOutside = ({ isHeld, claims }: Admitted, { media }: Hello): boolean =>
  isHeld || (claims.kind === 'guest' && media === undefined);

function parse(text: string): z.infer<typeof toServer> | null {
  if (exceeds(text, ordinaryBounds)) return null;
  try {
    const parsed = toServer.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
