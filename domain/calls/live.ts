import * as z from 'zod/mini';
import { callState } from '#domain/calls/call-state.ts';
import { caption, interimCaption, transcribed } from '#domain/calls/caption.ts';
import { longestChatMessage, longestLobbyLine, reactions } from '#domain/calls/live-limits.ts';
import { channel, mediaState, participant, waitingGuest } from '#domain/calls/participant.ts';
import { iceServer, signal } from '#domain/calls/signal.ts';
import * as consent from '#domain/consent/live.ts';

/**
 * The live protocol of a room: JSON text frames on `/ws`, one message each.
 *
 * - A socket sends `hello` first, with a meeting token, never a cookie. The `meeting` channel is
 *   the meeting page (media, presence); the `panel` channel is the checklist and the notes beside
 *   it. One participant may have both open, and is present while either is.
 * - Every server message after `welcome` has a `sequence`, counted per session. After a lost
 *   connection, `hello.resume` names the session and the last sequence received. The server sends
 *   the missed messages, or answers `resumed: false` (it was restarted, or too much was missed).
 *   The page then takes the roster from `welcome`, and negotiates again wherever no media flow.
 * - An edit (`check`, `note`) is stored before `saved` answers it by its `id`. A page keeps
 *   unanswered edits and sends them again. Storing the same edit twice changes nothing.
 */

/** Most participants in a peer-to-peer mesh; an operator may set fewer (`MESH_LIMIT`). */
export const meshLimit = 4;

/** A page pings at least this often. The server closes a connection after three times that in silence. */
export const heartbeatSeconds = 5;

/** A participant whose socket is lost is shown as reconnecting for this long, then leaves the roster. */
export const absenceGraceSeconds = 60;

/** A chat message of a call; `name` is the sender's at the time. */
export const chatMessage = z.object({
  id: z.string(),
  from: z.string(),
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  text: z.string(),
  sentAt: z.string(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** The most guests of one link and network address in the lobby, and in the preview. */
export const mostWaitingOfAddress = 5;
export const mostInPreviewOfAddress = 20;

/** How long a guest waits in a lobby before the page reports that no host came. */
export const longestWaitMinutes = 10;

/** An id as pages send it. */
const id = z.string().check(z.maxLength(64));
const edit = { id };

export const toServer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    channel,
    token: z.string().check(z.maxLength(4096)),
    /** A guest's own name, cut to 80 characters. Staff have the name of their account. */
    name: z.optional(z.string().check(z.maxLength(1000))),
    /**
     * Joins the meeting immediately. Without it, staff are in the preview (see `join`), and a guest
     * gets `waiting` instead of `welcome`.
     */
    media: z.optional(mediaState),
    /**
     * The first offer, for the only other participant, if there is just one: see `offered` in
     * `welcome`.
     */
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
  /**
   * Staff: moves from the preview into the meeting; others receive `changed`. Guests: asks for
   * admission.
   */
  z.object({
    type: z.literal('join'),
    name: z.optional(z.string().check(z.maxLength(1000))),
    media: mediaState,
  }),
  z.object({ type: z.literal('leave') }),
  /**
   * The page receives no media from the media server's `room`: asks for another room, or for a new
   * access token.
   */
  z.object({ type: z.literal('media-lost'), room: z.string().check(z.maxLength(64)) }),
  /**
   * Stored with the running call before `saved` answers it. All participants, including the sender,
   * get `chat`.
   */
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
  /** Requests the updates that the page's notes are missing; `vector` is its Yjs state vector, base64. */
  z.object({ type: z.literal('notes-since'), vector: z.string() }),
  consent.captureOrder,
  consent.consentAnswer,
]);
export type ToServer = z.infer<typeof toServer>;

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
    /** Whether this participant may tick and write (a VIEWER may not). */
    mayEdit: z.boolean(),
    participants: z.array(participant),
    room: z.object({ id: z.string(), topic: z.string() }),
    organization: z.object({
      name: z.string(),
      brandColor: z.string(),
      logoUrl: z.nullable(z.string()),
    }),
    call: z.nullable(callState),
    ...consent.roomCaptures,
    iceServers: z.array(iceServer),
    /**
     * The participant to whom the hello's offer was forwarded. Without it the page sends its offers
     * itself.
     */
    offered: z.optional(z.string()),
    /** The media use a media server, which `media-server` names once the participant is in the meeting. */
    byServer: z.optional(z.boolean()),
    /** The media server records who has agreed, so pages do not record themselves. */
    recordedByServer: z.optional(z.boolean()),
    /** A new token for the next hello, because the first one is short-lived. */
    token: z.string(),
  }),
  z.object({ type: z.literal('pong') }),
  /**
   * Sent instead of `welcome`, and again on each change: this guest is in the preview or in the
   * lobby, and receives nothing of the meeting but whether a host is there. If `mustAsk` is set,
   * `join` or a hello with media asks for admission, and `since` is null before that. Otherwise a
   * hello with media on the same socket is answered with `welcome`.
   */
  z.object({
    type: z.literal('waiting'),
    since: z.nullable(z.string()),
    mustAsk: z.boolean(),
    /** A member of the team is in the meeting. */
    hostIsHere: z.boolean(),
    /** Set where the guest need not ask: to prepare and test the connection. */
    iceServers: z.optional(z.array(iceServer)),
    /** The text of the room or its organization for waiting guests. */
    text: z.optional(z.string()),
    /** The newest text that the team sent to this guest. */
    said: z.nullable(z.string()),
    ...consent.waitingCaptures,
    /** For the next hello, on this socket or on another. */
    token: z.string(),
  }),
  /** The guest is admitted: the page sends hello again on the same socket, and gets `welcome`. */
  z.object({ type: z.literal('let-in') }),
  z.object({ type: z.literal('joined'), ...numbered, participant }),
  z.object({ type: z.literal('changed'), ...numbered, participant }),
  z.object({ type: z.literal('left'), ...numbered, participantId: z.string() }),
  /** This participant has a new session: a peer connection without media is dead, accept the next offer. */
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
   * From now on the media use this LiveKit server, with this access token, which is valid for two
   * minutes. If `room` differs from the previous one, connect to it first, and close the old
   * connection afterwards.
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
  /** To meeting pages: a phrase of the running call, as a line of its transcript. */
  z.object({ type: z.literal('caption'), ...numbered, line: caption }),
  /** To meeting pages that are connected: it is not kept for others. */
  z.object({ type: z.literal('interim-caption'), ...numbered, ...interimCaption }),
  /** Whether phrases are recognized at present. */
  z.object({ type: z.literal('captions-state'), ...numbered, isWorking: z.boolean() }),
  /** To panels: so much was said in the running call and became part of its transcript. */
  z.object({ type: z.literal('transcribed'), ...numbered, ...transcribed }),
  z.object({ type: z.literal('call-started'), ...numbered, call: callState }),
  z.object({ type: z.literal('call-changed'), ...numbered, call: callState }),
  /**
   * This participant's role has changed: whether they may tick, write and send host messages from
   * now on.
   */
  z.object({ type: z.literal('rights'), ...numbered, mayEdit: z.boolean() }),
  /** A host asks this page to mute its microphone; `by` is the host's name. */
  z.object({ type: z.literal('muted'), ...numbered, by: z.string() }),
  /**
   * To hosts: the guests in the lobby. Network addresses take turns, each with its longest wait
   * first. `hidden` counts guests beyond those listed.
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
  /** A Yjs update of the notes, base64. `vector` is set in the answer to `notes-since`. */
  z.object({
    type: z.literal('note'),
    ...numbered,
    callId: z.string(),
    update: z.string(),
    vector: z.optional(z.string()),
  }),
  z.object({ type: z.literal('captures'), ...numbered, ...consent.callCaptures }),
  /** Whether the media server fails to record this participant, where it records (`recordedByServer`). */
  z.object({ type: z.literal('server-recording'), ...numbered, isFailing: z.boolean() }),
  z.object({ type: z.literal('hosted-recording'), ...numbered, ...consent.hostedRecording }),
  z.object({ type: z.literal('saved'), ...numbered, ...consent.saved }),
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
