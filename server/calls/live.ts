import type { WebSocket } from 'ws';
import type { z } from 'zod/mini';
import {
  closeCodes,
  heartbeatSeconds,
  type MediaState,
  protocolVersion,
  toServer,
} from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import { exceeds, ordinaryBounds } from '#server/platform/bounded-json.ts';
import { sameOrigin } from '#server/platform/guards.ts';
import type { Site } from '#server/platform/route.ts';
import { admitByClaims, admitParticipant, guestName, NotAdmitted } from './admit-participant.ts';
import { touchAttendances } from './attendance-store.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';
import { FloodGate, isTooLong } from './flood-gate.ts';
import { followMembers } from './follow-members.ts';
import { hearChat } from './live-chat.ts';
import { editCall } from './live-edits.ts';
import { hearHost } from './live-host.ts';
import { LiveLobby, type Waiting } from './live-lobby.ts';
import { hearLobbyHost } from './live-lobby-host.ts';
import type { Person } from './live-person.ts';
import { LiveRooms } from './live-rooms.ts';
import { mailAboutWaiting } from './mail-lobby.ts';
import { type NewSocket, NewSockets } from './new-sockets.ts';
import { type Channel, tellRoom } from './room-events.ts';
import { countUse, takeLimitedLink } from './use-link.ts';

/** How often people are marked as seen, and what everybody left is looked for. */
const clockSeconds = 10;
const silenceSeconds = heartbeatSeconds * 3;
/** Past either, a socket is not read on until what it sent is handled: a flood waits in its own network. */
const mostWaiting = 100;
const mostWaitingBytes = 1_000_000;

/** One socket, from hello to its end. */
interface Line {
  socket: WebSocket;
  /** Bounds it until its token is let in. */
  fresh: NewSocket;
  heardAt: number;
  entered: { person: Person; channel: Channel } | null;
  /** In the lobby, in place of the room. */
  outside: Waiting | null;
  /** Messages are handled one after the other: an edit is stored before the next is looked at. */
  work: Promise<void>;
  gate: FloodGate;
  waiting: number;
  waitingBytes: number;
  /** Said too much: nothing more of it is looked at. */
  isCutOff: boolean;
}

/** `/ws`: the live protocol of domain/calls/live.ts. */
export function liveRoutes(site: Site): void {
  const { http, config, log } = site;
  const rooms = new LiveRooms(site);
  const lobby = new LiveLobby(site, rooms);
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
        receive(line, text.length);
        line.work = line.work
          .then(() => hear(site, rooms, lobby, line, text, request.ip))
          .catch((error) => {
            log.error({ err: error, reqId: request.id }, 'a live message failed');
            socket.close(1011, 'internal error');
          })
          .finally(() => handled(line, text.length));
      });
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
      socket.on('close', (code) => {
        lines.delete(line);
        line.work.finally(() => {
          if (line.entered) rooms.detach(line.entered.person, line.entered.channel, socket, code);
          if (line.outside) void lobby.gone(line.outside);
        });
      });
    },
  );

  const stopFollowing = followMembers(site.bus, rooms);
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
  gate: new FloodGate(Date.now()),
  waiting: 0,
  waitingBytes: 0,
  isCutOff: false,
});

function receive(line: Line, bytes: number): void {
  line.heardAt = Date.now();
  line.waiting += 1;
  line.waitingBytes += bytes;
  const isKnown = line.entered !== null || line.outside !== null;
  // Until its hello is answered, nothing more of a socket is read.
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

async function hear(
  site: Site,
  rooms: LiveRooms,
  lobby: LiveLobby,
  line: Line,
  text: string,
  address: string,
): Promise<void> {
  if (line.isCutOff) return;
  const parsed = parse(text);
  if (!parsed || isTooLong(parsed, text.length)) {
    line.socket.close(closeCodes.badMessage, 'bad message');
    return;
  }
  if (!line.gate.lets(parsed.type, Date.now(), text.length)) {
    cutOff(rooms, line);
    return;
  }
  if (!line.entered) {
    if (parsed.type === 'hello') await enter(site, rooms, lobby, line, parsed, address);
    else if (line.outside) await lobby.hear(line.outside, parsed);
    else line.socket.close(closeCodes.badMessage, 'hello first');
    return;
  }
  const { person, channel } = line.entered;
  const session = person.sessions.get(channel);
  if (session?.socket !== line.socket) return;
  switch (parsed.type) {
    case 'hello':
      return;
    case 'ping':
      session.acknowledged(parsed.sequence);
      line.socket.send('{"type":"pong"}');
      return;
    case 'signal':
      if (channel !== 'meeting') return;
      tellRoom(site.bus, person.admitted.claims.roomId, {
        to: parsed.to,
        channel: 'meeting',
        message: { type: 'signal', from: person.participant.id, signal: parsed.signal },
      });
      return;
    case 'watch':
      if (channel !== 'meeting') return;
      tellRoom(site.bus, person.admitted.claims.roomId, {
        to: parsed.to,
        channel: 'meeting',
        message: {
          type: 'watched',
          from: person.participant.id,
          camera: parsed.camera,
          screen: parsed.screen,
        },
      });
      return;
    case 'join':
      if (channel !== 'meeting' || !(await mayStillJoin(site, rooms, person))) return;
      await rooms.join(person, guestName(parsed.name), parsed.media);
      await countUse(person.admitted);
      return;
    case 'media':
      rooms.change(person, { media: withOurTime(parsed.media, person.participant.media) });
      return;
    case 'leave':
      line.entered = null;
      rooms.leave(person, channel);
      line.socket.close(1000, 'left');
      return;
    case 'media-lost':
      if (channel === 'meeting') await rooms.mediaLost(person, parsed.room);
      return;
    case 'chat':
    case 'chat-since':
    case 'react':
      await hearChat(site, person, session, rooms.callOf(person), parsed);
      return;
    case 'mute':
    case 'remove':
    case 'lock':
      await hearHost(site, person, session, rooms.callOf(person), parsed);
      return;
    case 'admit':
    case 'refuse':
    case 'tell-waiting':
      await hearLobbyHost(site, person, session, parsed);
      return;
    default:
      await editCall(site, person, session, rooms.callOf(person), parsed);
  }
}

/** When a hand was raised goes by our clock: pages sort by it, and theirs may be hours off. */
function withOurTime(media: MediaState, before: MediaState): MediaState {
  if (media.hand === undefined) return media;
  return { ...media, hand: before.hand ?? new Date().toISOString() };
}

/** What it has said and nobody has read yet is not read any more. */
function cutOff(rooms: LiveRooms, line: Line): void {
  const { entered, socket } = line;
  line.isCutOff = true;
  line.entered = null;
  if (entered) rooms.expel(entered.person, closeCodes.flooding, 'too many messages');
  socket.close(closeCodes.flooding, 'too many messages');
}

async function enter(
  site: Site,
  rooms: LiveRooms,
  lobby: LiveLobby,
  line: Line,
  hello: Extract<z.infer<typeof toServer>, { type: 'hello' }>,
  address: string,
): Promise<void> {
  if (hello.protocol !== protocolVersion) {
    line.socket.close(closeCodes.protocolTooOld, 'reload the page');
    return;
  }
  try {
    const admitted = await line.fresh.hello(hello.token, () =>
      admitParticipant(site, hello, address),
    );
    line.fresh.letIn();
    if (line.outside) await lobby.replaced(line.outside);
    line.outside = admitted.isHeld ? await lobby.hold(line.socket, admitted, hello, address) : null;
    if (line.outside) return;
    if (hello.media) await takeLimitedLink(admitted);
    const person = await rooms.enter(admitted, hello, line.socket);
    line.entered = { person, channel: hello.channel };
    lobby.greet(person);
    await rooms.greet(person, hello.channel);
    if (hello.media) await countUse(admitted);
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    line.socket.close(error.closeCode, error.message);
  }
}

/** The link, the hours or the lobby may have changed while a guest was in the preview. */
async function mayStillJoin(site: Site, rooms: LiveRooms, person: Person): Promise<boolean> {
  const { claims, tenant } = person.admitted;
  if (claims.kind === 'staff' || person.participant.inMeeting) return true;
  try {
    const admitted = await admitByClaims(site, claims, undefined, tenant.address);
    // Not an error for the page: it says hello again, and is held.
    if (admitted.isHeld) throw new NotAdmitted(1012, 'lobby');
    await takeLimitedLink(admitted);
    return true;
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    rooms.expel(person, error.closeCode, error.message);
    return false;
  }
}

function parse(text: string): z.infer<typeof toServer> | null {
  if (exceeds(text, ordinaryBounds)) return null;
  try {
    const parsed = toServer.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
