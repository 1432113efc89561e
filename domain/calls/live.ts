import * as z from 'zod/mini';
import { themes } from '#domain/looks.ts';

/**
 * The live protocol of a room: what goes over `/ws`, as JSON text frames, one message each.
 *
 * - A socket says `hello` first, with a meeting token, never a cookie. The `meeting` channel is the
 *   meeting page (media, presence); the `panel` channel is the checklist and the notes beside it.
 *   Both may be open for one participant, who is present while either is.
 * - Everything the server sends after `welcome` carries `sequence`, counted per session. After a
 *   lost connection `hello.resume` names the session and the last sequence seen: the server sends
 *   what was missed, or says `resumed: false` (it was restarted, or too much was missed) and the
 *   page takes the roster from `welcome` and negotiates anew wherever no media flow.
 * - An edit (`check`, `note`) is stored before `saved` answers it by its `id`. A page keeps and
 *   sends again what was not answered; storing the same edit twice changes nothing.
 */
export const protocolVersion = 1;

/** Most people in one peer-to-peer mesh; an operator may set less (`MESH_LIMIT`). */
export const meshLimit = 4;

/** A page pings at least this often; the server gives up a connection after three times that in silence. */
export const heartbeatSeconds = 5;

/** A person whose socket is gone is shown as reconnecting this long, then leaves the roster. */
export const absenceGraceSeconds = 60;

/** Application close codes (RFC 6455 leaves 4000-4999 to applications). */
export const closeCodes = {
  badMessage: 4400,
  tokenRefused: 4401,
  removed: 4403,
  roomGone: 4404,
  silent: 4408,
  roomFull: 4409,
  callEnded: 4410,
  replaced: 4411,
  locked: 4423,
  /** The lobby: a host said no, or nobody answered in time. */
  refusedEntry: 4424,
  waitedTooLong: 4425,
  protocolTooOld: 4426,
  /** Too many guests of this link and network are in the lobby or the preview. */
  crowded: 4428,
  /** Outside the room's opening hours. */
  roomClosed: 4427,
  /** So many messages that the others would feel it. */
  flooding: 4429,
} as const;

/** WebSocket close code 1013 (IANA registry): the page connects again, later and later. */
export const tryAgainLater = 1013;

export const mediaState = z.object({
  audio: z.boolean(),
  video: z.boolean(),
  /** A screen is shown beside the person. */
  screen: z.optional(z.boolean()),
  /** When the hand was raised, ISO 8601; without it the hand is down. */
  hand: z.optional(z.string().check(z.maxLength(32))),
});
export type MediaState = z.infer<typeof mediaState>;

export const participant = z.object({
  id: z.string(),
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  avatar: z.nullable(z.string()),
  media: mediaState,
  /** False for somebody who only has the panel open, or is still in the preview. */
  inMeeting: z.boolean(),
  /** False while the connection is lost and may come back. */
  connected: z.boolean(),
});
export type Participant = z.infer<typeof participant>;

const description = z.object({
  type: z.enum(['offer', 'answer', 'pranswer', 'rollback']),
  sdp: z.optional(z.string()),
});
const candidate = z.object({
  candidate: z.optional(z.string()),
  sdpMid: z.optional(z.nullable(z.string())),
  sdpMLineIndex: z.optional(z.nullable(z.number())),
  usernameFragment: z.optional(z.nullable(z.string())),
});
/** One step of WebRTC's negotiation: a session description, a candidate, or their end (null). */
export const signal = z.object({
  /**
   * Names the pair of RTCPeerConnections it belongs to; whoever makes the first offer invents it.
   * So an answer or a candidate for a connection that was replaced meanwhile is told from the rest.
   */
  connection: z.optional(z.string().check(z.maxLength(64))),
  description: z.optional(description),
  /** The offer changes a connection that was negotiated before: who does not have that one ignores it. */
  again: z.optional(z.literal(true)),
  candidate: z.optional(z.nullable(candidate)),
});
export type Signal = z.infer<typeof signal>;

/** What can be said without a word. */
export const reactions = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
export type Reaction = (typeof reactions)[number];

/** Characters (UTF-16 units) of one chat message. */
export const longestChatMessage = 2000;

/** What somebody wrote in a call; `name` as it was then. */
export const chatMessage = z.object({
  id: z.string(),
  from: z.string(),
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  text: z.string(),
  sentAt: z.string(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** Bytes of one `signal`; an offer of three media sections takes about a third of it. */
export const longestSignalBytes = 20_000;

/** Guests of one link and network address: so many wait in the lobby, and so many are in the preview. */
export const mostWaitingOfAddress = 5;
export const mostInPreviewOfAddress = 20;

/** How long a guest waits in a lobby before the page says that nobody came. */
export const longestWaitMinutes = 10;

/** Characters (UTF-16 units) of the line that a host writes to a guest in the lobby. */
export const longestLobbyLine = 300;

/** A guest in the lobby of a room. */
export const waitingGuest = z.object({ id: z.string(), name: z.string(), since: z.string() });
export type WaitingGuest = z.infer<typeof waitingGuest>;

/** An id as pages send it. */
const id = z.string().check(z.maxLength(64));
const edit = { id };

export const toServer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    channel: z.enum(['meeting', 'panel']),
    token: z.string().check(z.maxLength(4096)),
    /** A guest's own name, cut to 80 characters; staff are known by their account. */
    name: z.optional(z.string().check(z.maxLength(1000))),
    /**
     * With it the person is in the meeting at once; without, still in the preview (see `join`), where a
     * guest gets `waiting` in place of `welcome`.
     */
    media: z.optional(mediaState),
    /** The first offer, for the only other one there, if there is only one: see `offered` in `welcome`. */
    offer: z.optional(signal),
    resume: z.optional(z.object({ session: id, sequence: z.number() })),
  }),
  z.object({ type: z.literal('ping'), sequence: z.number() }),
  z.object({ type: z.literal('signal'), to: id, signal }),
  /** Which of somebody's pictures this page shows: what nobody looks at need not be sent. At first both. */
  z.object({
    type: z.literal('watch'),
    to: id,
    camera: z.boolean(),
    screen: z.boolean(),
  }),
  z.object({ type: z.literal('media'), media: mediaState }),
  /** Staff: from the preview into the meeting; others hear `changed`. Guests: asks to come in. */
  z.object({
    type: z.literal('join'),
    name: z.optional(z.string().check(z.maxLength(1000))),
    media: mediaState,
  }),
  z.object({ type: z.literal('leave') }),
  /** Nothing comes any more from the media server's `room`: asks where to go, or for a fresh pass. */
  z.object({ type: z.literal('media-lost'), room: z.string().check(z.maxLength(64)) }),
  /** Stored with the running call before `saved` answers it; everybody, the writer too, gets `chat`. */
  z.object({
    type: z.literal('chat'),
    ...edit,
    text: z.string().check(z.minLength(1), z.maxLength(longestChatMessage)),
  }),
  /** Asks for the running call's messages after the one named, or the newest. */
  z.object({ type: z.literal('chat-since'), after: z.nullable(id) }),
  /** The three orders of those who may edit the call. Only a guest can be removed. */
  z.object({ type: z.literal('mute'), to: id }),
  z.object({ type: z.literal('remove'), to: id }),
  z.object({ type: z.literal('lock'), locked: z.boolean() }),
  /** The orders of the same people about guests in the lobby. */
  z.object({ type: z.literal('admit'), guests: z.array(id).check(z.maxLength(50)) }),
  z.object({ type: z.literal('refuse'), guest: id }),
  z.object({
    type: z.literal('tell-waiting'),
    guest: id,
    text: z.string().check(z.minLength(1), z.maxLength(longestLobbyLine)),
  }),
  z.object({ type: z.literal('react'), reaction: z.enum(reactions) }),
  z.object({ type: z.literal('check'), ...edit, itemId: z.string(), checked: z.boolean() }),
  /** A Yjs update of the notes (version 1 encoding), base64. */
  z.object({ type: z.literal('note'), ...edit, update: z.string() }),
  /** Asks for what the page's notes lack; `vector` is its Yjs state vector, base64. */
  z.object({ type: z.literal('notes-since'), vector: z.string() }),
]);
export type ToServer = z.infer<typeof toServer>;

const callState = z.object({
  id: z.string(),
  startedAt: z.string(),
  /** Nobody new is let in. */
  locked: z.optional(z.boolean()),
});
export type CallState = z.infer<typeof callState>;

/** RTCIceServer (WebRTC 1.0, 4.2.4). */
export const iceServer = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});

const checkedItem = z.object({ itemId: z.string(), checked: z.boolean() });
const numbered = { sequence: z.number() };

export const toBrowser = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    protocol: z.number(),
    session: z.string(),
    /** The sequence of the last message sent before, 0 in a new session. */
    sequence: z.number(),
    resumed: z.boolean(),
    self: z.string(),
    /** Whether this person may tick and write (a VIEWER may not). */
    mayEdit: z.boolean(),
    participants: z.array(participant),
    room: z.object({ id: z.string(), topic: z.string() }),
    organization: z.object({
      name: z.string(),
      brandColor: z.string(),
      logoUrl: z.nullable(z.string()),
    }),
    call: z.nullable(callState),
    iceServers: z.array(iceServer),
    /** To whom the hello's offer was passed on. Without it the page offers to everybody itself. */
    offered: z.optional(z.string()),
    /** The media go by a media server, and `media-server` says by which once the person is in. */
    byServer: z.optional(z.boolean()),
    /** A fresh token for the next hello, since the first one is short-lived. */
    token: z.string(),
  }),
  z.object({ type: z.literal('pong') }),
  /**
   * In place of `welcome`, and again when something of it changes: this guest is outside, in the preview
   * or in the lobby, and is told of the meeting only whether a host is there. Where `mustAsk` is set,
   * `join` or a hello with media asks to be let in, and `since` is null before that; otherwise a hello
   * with media on the same line is welcomed.
   */
  z.object({
    type: z.literal('waiting'),
    since: z.nullable(z.string()),
    mustAsk: z.boolean(),
    /** A member of the team is in the meeting. */
    hostIsHere: z.boolean(),
    /** Where the guest need not ask: to prepare and to test the connection. */
    iceServers: z.optional(z.array(iceServer)),
    /** What the room or its organization has everybody read who waits. */
    text: z.optional(z.string()),
    /** The newest line that the team wrote to this guest. */
    said: z.nullable(z.string()),
    /** For the next hello, on this line or on another. */
    token: z.string(),
  }),
  /** The guest may come in: the page says hello again on the same line, and is welcomed. */
  z.object({ type: z.literal('let-in') }),
  z.object({ type: z.literal('joined'), ...numbered, participant }),
  z.object({ type: z.literal('changed'), ...numbered, participant }),
  z.object({ type: z.literal('left'), ...numbered, participantId: z.string() }),
  /** Has begun a new session: a peer connection without media leads nowhere, take the next offer. */
  z.object({ type: z.literal('restarted'), ...numbered, participantId: z.string() }),
  z.object({ type: z.literal('signal'), ...numbered, from: z.string(), signal }),
  z.object({
    type: z.literal('watched'),
    ...numbered,
    from: z.string(),
    camera: z.boolean(),
    screen: z.boolean(),
  }),
  /**
   * From now on the media go by this LiveKit server, with this token, which is good for two minutes.
   * With another `room` than before the way there is made first, and what was is dropped after.
   */
  z.object({
    type: z.literal('media-server'),
    ...numbered,
    room: z.string(),
    url: z.string(),
    token: z.string(),
  }),
  z.object({ type: z.literal('chat'), ...numbered, message: chatMessage }),
  z.object({ type: z.literal('chat-history'), ...numbered, messages: z.array(chatMessage) }),
  z.object({
    type: z.literal('reacted'),
    ...numbered,
    from: z.string(),
    reaction: z.enum(reactions),
  }),
  z.object({ type: z.literal('call-started'), ...numbered, call: callState }),
  z.object({ type: z.literal('call-changed'), ...numbered, call: callState }),
  /** This person's role has changed: whether they may tick, write and give orders from now on. */
  z.object({ type: z.literal('rights'), ...numbered, mayEdit: z.boolean() }),
  /** A host asks this page to turn its microphone off; `by` is the host's name. */
  z.object({ type: z.literal('muted'), ...numbered, by: z.string() }),
  /**
   * To hosts: who is in the lobby, in turn of each network address, of each the longest wait first.
   * `hidden` counts those beyond the guests listed.
   */
  z.object({
    type: z.literal('lobby'),
    ...numbered,
    guests: z.array(waitingGuest),
    hidden: z.optional(z.number()),
  }),
  z.object({
    type: z.literal('call-ended'),
    ...numbered,
    callId: z.string(),
    endedAt: z.string(),
  }),
  /**
   * Items of the running call's checklist: all of them after `welcome` and `call-started` on the panel, and
   * those that changed together after a request.
   */
  z.object({
    type: z.literal('checklist'),
    ...numbered,
    callId: z.string(),
    items: z.array(checkedItem),
  }),
  z.object({ type: z.literal('checked'), ...numbered, ...checkedItem.shape }),
  /** A Yjs update of the notes, base64. `vector` is there when it answers `notes-since`. */
  z.object({
    type: z.literal('note'),
    ...numbered,
    callId: z.string(),
    update: z.string(),
    vector: z.optional(z.string()),
  }),
  z.object({ type: z.literal('saved'), ...numbered, id: z.string(), savedAt: z.string() }),
  z.object({
    type: z.literal('refused'),
    ...numbered,
    id: z.optional(z.string()),
    code: z.string(),
    message: z.string(),
  }),
]);
export type ToBrowser = z.infer<typeof toBrowser>;
export type Welcome = Extract<ToBrowser, { type: 'welcome' }>;

/**
 * Messages between the meeting page in a frame and the page around it, by postMessage with checked
 * origins. `rapport: 1` marks them as ours.
 */
export const fromMeeting = z.discriminatedUnion('type', [
  z.object({ rapport: z.literal(1), type: z.literal('ready') }),
  z.object({ rapport: z.literal(1), type: z.literal('joined') }),
  z.object({ rapport: z.literal(1), type: z.literal('left') }),
  z.object({ rapport: z.literal(1), type: z.literal('call-ended') }),
  z.object({ rapport: z.literal(1), type: z.literal('failed'), code: z.string() }),
  /** How many guests wait in the lobby, as far as the one who is told may let them in. */
  z.object({ rapport: z.literal(1), type: z.literal('waiting'), count: z.number() }),
  /** Whether the own microphone is on, at first and at each change. */
  z.object({ rapport: z.literal(1), type: z.literal('microphone'), on: z.boolean() }),
]);
export type FromMeeting = z.infer<typeof fromMeeting>;

/** How much of the meeting the page around it shows: all, the pictures alone, or nothing. */
export const meetingViews = ['full', 'small', 'none'] as const;
export type MeetingView = (typeof meetingViews)[number];

export const toMeeting = z.discriminatedUnion('type', [
  z.object({ rapport: z.literal(1), type: z.literal('leave') }),
  /** Chosen while the frame is open; null follows the system again. */
  z.object({
    rapport: z.literal(1),
    type: z.literal('theme'),
    theme: z.nullable(z.enum(themes)),
  }),
  z.object({ rapport: z.literal(1), type: z.literal('view'), view: z.enum(meetingViews) }),
  z.object({ rapport: z.literal(1), type: z.literal('microphone'), on: z.boolean() }),
]);
export type ToMeeting = z.infer<typeof toMeeting>;
