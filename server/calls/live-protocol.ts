import { closeCodes } from '#domain/calls/close-codes.ts';
import { type ToServer, toServer } from '#domain/calls/live.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import type { Site } from '#server/http/route.ts';
import { exceeds, ordinaryBounds } from '#server/platform/bounded-json.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { withoutControls } from '#server/platform/json-text.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { type Admitted, admitByClaims, NotAdmitted, readHello } from './admit-participant.ts';
import { continueOwnConsent } from './continue-own-consent.ts';
import { readmit } from './follow-revocations.ts';
import { attendanceBegun } from './live-attendance.ts';
import type { LiveConnection } from './live-connection.ts';
import type { LiveLobby } from './live-lobby.ts';
import type { LiveRooms } from './live-rooms.ts';
import type { Expected } from './local-room.ts';
import { isTooLong, longestOfGuests, messageBounds } from './message-bounds.ts';
import { handleMessage, publishedBy } from './message-handlers.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { RelayBudget } from './relay-budget.ts';
import { inStoringTurn } from './socket-work.ts';
import { countUse, takeLimitedLink } from './use-link.ts';
import type { WorkBudget } from './work-budget.ts';

/** Bytes of the frames of one message, besides its text. */
const mostFraming = 1024;

type Hello = Extract<ToServer, { type: 'hello' }>;

/**
 * Hellos of an organization take turns, its guests' apart from its staff's: however many arrive at once, what
 * others ask for in the meantime waits for four of each at most.
 */
const hellos = new FairQueue({
  atOnce: Number.POSITIVE_INFINITY,
  perKey: 4,
  mostWaiting: Number.POSITIVE_INFINITY,
});

/** This process's state of the live protocol. */
export interface Live {
  site: Site;
  rooms: LiveRooms;
  lobby: LiveLobby;
  relays: RelayBudget;
  work: WorkBudget;
  sockets: OpenSockets;
}

/**
 * Reads one message, and handles it within the bounds of its sender. Not an async function, which would
 * keep the text for as long as its message waits.
 * @param bytes the length of `text`
 */
export function readMessage(
  live: Live,
  connection: LiveConnection,
  text: string,
  bytes: number,
): Promise<void> | undefined {
  if (connection.isCutOff) return undefined;
  const { claims, socket, entered } = connection;
  const isTooLongForGuests = claims?.kind !== 'staff' && bytes > longestOfGuests;
  const message = isTooLongForGuests ? null : parse(text);
  if (!message || isTooLong(message, bytes)) {
    socket.close(closeCodes.badMessage, 'bad message');
    return undefined;
  }
  if (!connection.rate.lets(message.type, Date.now(), text.length)) {
    cutOff(live.rooms, connection);
    return undefined;
  }
  if (entered) return handleInRoom(live, connection, message, bytes);
  return handleOutside(live, connection, message);
}

/** Counts what arrives once the token was accepted: an unfinished message counts, too. */
export function countBytes(live: Live, connection: LiveConnection, bytes: number): void {
  const { claims, address, entered } = connection;
  const unfinishedBytes = connection.received(bytes);
  if (!claims || connection.isCutOff) return;
  if (!live.work.letsBytes(claims, address, entered !== null, bytes)) {
    cutOff(live.rooms, connection);
  } else if (claims.kind !== 'staff' && unfinishedBytes > longestOfGuests + mostFraming) {
    connection.cutOff(closeCodes.badMessage, 'bad message');
  }
}

function parse(text: string): ToServer | null {
  if (exceeds(text, ordinaryBounds)) return null;
  try {
    const parsed = toServer.safeParse(JSON.parse(withoutControls(text)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Closes a socket that exceeded its bounds. Its unhandled messages are ignored. */
function cutOff(rooms: LiveRooms, connection: LiveConnection): void {
  const { entered } = connection;
  connection.entered = null;
  if (entered) rooms.expel(entered.person, closeCodes.flooding, 'too many messages');
  connection.cutOff(closeCodes.flooding, 'too many messages');
}

async function handleOutside(
  live: Live,
  connection: LiveConnection,
  message: ToServer,
): Promise<void> {
  const { claims, outside, address, closed } = connection;
  if (message.type === 'hello') await answerHello(live, connection, message);
  else if (outside && claims) {
    const { type } = message;
    // It reads the guest's rights again, and asks the host.
    const cost = type === 'join' ? { cost: 'costly' as const } : {};
    const asking = { claims, type, ...cost, address, receivers: undefined, closed };
    const hasTurn = await live.work.turn(asking);
    if (hasTurn && connection.outside === outside) await live.lobby.hear(outside, message);
  } else connection.socket.close(closeCodes.badMessage, 'hello first');
}

async function handleInRoom(
  { site, rooms, relays, work }: Live,
  connection: LiveConnection,
  message: ToServer,
  bytes: number,
): Promise<void> {
  const { entered, socket, address, closed } = connection;
  if (!entered) return;
  const { person, channel } = entered;
  const { claims } = person.admitted;
  const session = person.sessions.get(channel);
  if (session?.socket !== socket || !rooms.has(person)) return;
  if (!relays.lets(claims.participantId, message, bytes, Date.now())) {
    cutOff(rooms, connection);
    return;
  }
  if (message.type === 'hello') return;
  if (message.type === 'ping') {
    session.acknowledged(message.sequence);
    session.pong();
  } else if (message.type === 'leave') {
    connection.entered = null;
    rooms.leave(person, channel, true);
  } else {
    const { type } = message;
    const event = publishedBy(type, person);
    const receivers = event && rooms.receivers(claims.roomId, event);
    const asking = { claims, type, address, receivers, closed };
    const hasTurn = await work.turn(asking);
    const handle = async () => {
      if (person.sessions.get(channel)?.socket !== socket) return;
      await handleMessage({ services: site, rooms, person, session }, type, message);
    };
    if (!hasTurn) return;
    await (messageBounds[type].stores ? inStoringTurn(site.database, asking, handle) : handle());
  }
}

/** Answers a hello: with the room, with the lobby, or with the close code that refuses it. */
async function answerHello(live: Live, connection: LiveConnection, hello: Hello): Promise<void> {
  const { site, rooms, work } = live;
  const { socket, address } = connection;
  if (hello.protocol !== protocolVersion) {
    socket.close(closeCodes.protocolTooOld, 'reload the page');
    return;
  }
  try {
    const claims = await readHello(site, hello);
    work.hello(claims, address);
    await hellos.run(`${claims.orgId} ${claims.kind}`, () =>
      enter(live, connection, hello, claims),
    );
    if (!connection.entered) return;
    await rooms.greet(connection.entered.person, hello.channel);
    if (hello.media) await countUse(connection.entered.person.admitted);
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    socket.close(error.closeCode, error.message);
  }
}

/** @throws NotAdmitted */
async function enter(
  live: Live,
  connection: LiveConnection,
  hello: Hello,
  claims: MeetingClaims,
): Promise<void> {
  const { site, rooms, lobby, relays } = live;
  const { socket, address } = connection;
  let expected: Expected | undefined;
  try {
    const revocationsBefore = site.revocations.count;
    const mayHaveEnded = () => site.revocations.count !== revocationsBefore;
    const expect = async (roomId: Parameters<LiveRooms['expect']>[0]) => {
      expected = await rooms.expect(roomId);
      return expected;
    };
    const { admitted, room } = await admit(live, connection, { hello, claims }, expect);
    if (connection.outside) await lobby.replaced(connection.outside);
    connection.outside = null;
    if (isOutside(admitted, hello)) {
      connection.outside = await lobby.hold(socket, admitted, hello, address, room);
      if (mayHaveEnded()) lobby.lookAgainAt((one) => one.claims === admitted.claims);
      return;
    }
    if (!relays.letsOffer(admitted.claims.participantId, hello.offer, Date.now())) {
      throw new NotAdmitted(closeCodes.flooding, 'too many messages');
    }
    if (hello.media) await takeLimitedLink(admitted);
    if (hello.channel === 'meeting') await continueOwnConsent(admitted, site);
    const person = await rooms.enter(admitted, hello, socket, room);
    connection.entered = { person, channel: hello.channel };
    lobby.greet(person);
    // A revocation during this hello was published before this participant was in the room.
    if (mayHaveEnded()) await readmit(site, { rooms, lobby }, person);
    rooms.lookedUp(person);
  } finally {
    expected?.stop();
  }
}

/**
 * Looks up the token of a hello, within the bounds of its session, its link and address, and its account.
 * @param expect listens to the room from before the look-up
 * @throws NotAdmitted
 */
async function admit(
  { site, work, sockets }: Live,
  { socket, fresh, address, closed }: LiveConnection,
  { hello, claims }: { hello: Hello; claims: MeetingClaims },
  expect: (...room: Parameters<LiveRooms['expect']>) => Promise<Expected>,
): Promise<{ admitted: Admitted; room: Expected }> {
  const { admitted, room } = await fresh.hello(hello.token, async () => {
    // The socket closed while others of its link and address were looked up. A paused one is noticed later.
    if (closed.aborted) throw new NotAdmitted(closeCodes.silent, 'closed');
    const room = await expect(claims.roomId);
    if (claims.kind === 'guest') await attendanceBegun(claims.participantId);
    return { admitted: await admitByClaims(site, claims, hello.name, address), room };
  });
  work.admitted(claims);
  sockets.takePlace(socket, admitted, hello.channel, address);
  fresh.letIn();
  return { admitted, room };
}

/** Guests receive the meeting's messages once they are in it, not in its preview or lobby. */
const isOutside = ({ isHeld, claims }: Admitted, { media }: Hello): boolean =>
  isHeld || (claims.kind === 'guest' && media === undefined);
