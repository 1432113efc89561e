import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import { DomainError } from '#domain/errors.ts';
import type { ParticipantId } from '#domain/ids.ts';
import {
  longestSpeechSlice,
  speechProtocol,
  speechReady,
  speechRecognize,
  speechToServer,
} from '#domain/transcripts/speech-protocol.ts';
import { admitByClaims, NotAdmitted } from '#server/calls/admit-participant.ts';
import { concerns, lookUpKeyOf } from '#server/calls/follow-revocations.ts';
import { attendanceBegun } from '#server/calls/live-attendance.ts';
import { type NewSocket, NewSockets } from '#server/calls/new-sockets.ts';
import type { OpenSockets } from '#server/calls/open-sockets.ts';
import type { Published } from '#server/calls/published.ts';
import { listenToRoom } from '#server/calls/room-events.ts';
import { WorkBudget } from '#server/calls/work-budget.ts';
import type { Site } from '#server/http/route.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { sameOrigin } from '#server/platform/guards.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import { readMeetingToken } from '#server/rooms/meeting-token.ts';
import { Captions } from './captions.ts';
import { SpeechCutter } from './cutting/speech-cutter.ts';
import { LiveWords } from './live-words.ts';
import {
  mayRecognizeInBrowser,
  notCaptured,
  requireMaySpeak,
  type Speaker,
  speakerOf,
} from './speaker.ts';
import { SpeechSocket } from './speech-socket.ts';
import { Transcriber } from './transcriber.ts';

/** Of one participant: 24 kbit/s are 3 kB/s, and a lost network may deliver some seconds together. */
const soundBounds = { burst: 128 * 1024, perSecond: 12 * 1024 };
const messageBounds = { burst: 30, perSecond: 1 };
/** Hellos of an organization take turns, its guests' apart from its staff's, as on `/ws`. */
const hellos = new FairQueue({
  atOnce: Number.POSITIVE_INFINITY,
  perKey: 4,
  mostWaiting: Number.POSITIVE_INFINITY,
});
/** Look-ups after a revocation, one at a time of an account and of the guests of an organization. */
const lookUps = new FairQueue({
  atOnce: 3,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});

/**
 * `/ws/speech`, the protocol of domain/transcripts/speech-protocol.ts: each page sends the sound of its own
 * participant, so that each line has the right name.
 */
export function speechRoute(site: Site, sockets: OpenSockets, published: Published): void {
  const { http, config, log } = site;
  const newSockets = new NewSockets();
  let speaking: LiveSpeech | null = null;

  http.get(
    '/ws/speech',
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
      socket.on('error', (error) => log.debug({ err: error }, 'a socket of speech failed'));
      boundUnfinished(socket, request.raw.socket);
      socket.once('message', (data, isBinary) => {
        const admit = async () => {
          speaking ??= new LiveSpeech(site, published);
          await speaking.admit({ socket, fresh, address: request.ip, sockets }, data, isBinary);
        };
        admit().catch((error) => {
          if (error instanceof NotAdmitted) return socket.close(error.closeCode, error.message);
          log.error({ err: error, reqId: request.id }, 'a socket of speech could not be opened');
          socket.close(1011, 'internal error');
        });
      });
    },
  );
  http.addHook('preClose', async () => speaking?.close());
}

/** A slice with its frames. */
const mostUnfinishedBytes = longestSpeechSlice + 1024;

/** Ends a socket that leaves a longer message unfinished than it may send. */
function boundUnfinished(socket: WebSocket, stream: Socket): void {
  let unfinishedBytes = 0;
  const finished = () => {
    unfinishedBytes = 0;
  };
  for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, finished);
  // Added after the listener of `ws`, which has read the messages of this chunk.
  stream.on('data', (chunk: Buffer) => {
    unfinishedBytes += chunk.length;
    if (unfinishedBytes > mostUnfinishedBytes) socket.close(closeCodes.flooding, 'too much sound');
  });
}

interface Arrived {
  socket: WebSocket;
  fresh: NewSocket;
  address: string;
  sockets: OpenSockets;
}

/** The participants of this process whose speech is transcribed, with at most one socket each. */
class LiveSpeech {
  readonly #site: Site;
  readonly #sockets = new Map<ParticipantId, SpeechSocket>();
  /** Look-ups that have not begun. */
  readonly #waiting = new WeakMap<SpeechSocket, Promise<void>>();
  readonly #cutter: SpeechCutter;
  readonly #captions: Captions;
  readonly #transcriber: Transcriber;
  readonly #bytes: Allowance;
  readonly #messages: Allowance;
  readonly #work: WorkBudget;
  readonly #stopFollowing: () => void;

  constructor(site: Site, published: Published) {
    this.#site = site;
    this.#captions = new Captions(site.bus, published);
    this.#transcriber = new Transcriber(site, this.#captions);
    this.#cutter = new SpeechCutter(site.log);
    this.#bytes = new Allowance(soundBounds);
    this.#messages = new Allowance(messageBounds);
    this.#work = new WorkBudget(site.config);
    this.#stopFollowing = site.revocations.subscribe((revocation) => this.#follow(revocation));
  }

  /** @throws NotAdmitted */
  async admit(arrived: Arrived, data: RawData, isBinary: boolean): Promise<void> {
    const { socket, fresh, address, sockets } = arrived;
    const token = isBinary ? null : tokenIn(String(data));
    if (token === null) throw new NotAdmitted(closeCodes.badMessage, 'bad message');
    const { revocations } = this.#site;
    const revocationsBefore = revocations.count;
    const speaker = await fresh.hello(token, async () => {
      const claims = await readMeetingToken(this.#site.secrets, token);
      if (!claims) throw new NotAdmitted(closeCodes.tokenRefused, 'token refused');
      this.#work.hello(claims, address);
      return hellos.run(`${claims.orgId} ${claims.kind}`, async () => {
        await attendanceBegun(claims.participantId);
        const admitted = await admitByClaims(this.#site, claims, undefined, address);
        this.#work.admitted(claims);
        const found = await speakerOf(admitted);
        if (!(this.#hasService || (await mayRecognizeInBrowser(found)))) throw notCaptured();
        sockets.takePlace(socket, admitted, 'meeting', address);
        return found;
      });
    });
    fresh.letIn();
    if (socket.readyState !== socket.OPEN) return;
    const { participantId, roomId } = speaker;
    const former = this.#sockets.get(participantId);
    former?.end(closeCodes.replaced, 'replaced');
    const parts = {
      cutter: this.#cutter,
      transcriber: this.#transcriber,
      openWords: (one: Speaker) => LiveWords.open(this.#site, this.#captions, one),
      bytes: this.#bytes,
      messages: this.#messages,
    };
    const sends = this.#hasService ? 'sound' : 'phrases';
    const speech = new SpeechSocket(socket, speaker, sends, parts);
    this.#sockets.set(participantId, speech);
    const { stop } = listenToRoom(this.#site.bus, roomId, ({ message, close, to }) => {
      if (message?.type === 'call-ended') speech.end(closeCodes.callEnded, 'call ended');
      if (close && to === participantId) speech.revoke(close.code, close.reason);
    });
    socket.once('close', () => {
      stop();
      if (this.#sockets.get(participantId) === speech) this.#sockets.delete(participantId);
      if (this.#inRoom(roomId).length === 0) this.#captions.forget(roomId);
    });
    // A consent may have been withdrawn while it was read.
    if (revocations.count !== revocationsBefore) await this.#lookAgain(speech);
    socket.send(sends === 'sound' ? speechReady : speechRecognize);
    if (!former) this.#captions.announce(speaker);
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    for (const speech of this.#sockets.values()) speech.revoke(sayHelloAgain, 'server restarts');
    this.#captions.close();
    this.#cutter.close();
    await this.#transcriber.close();
  }

  get #hasService(): boolean {
    return this.#site.speech.current() !== null;
  }

  #inRoom(roomId: string): SpeechSocket[] {
    return [...this.#sockets.values()].filter(({ speaker }) => speaker.roomId === roomId);
  }

  /** Ends the captures whose consent, capture, or authority has ended. */
  #follow(revocation: Revocation): void {
    for (const speech of this.#sockets.values()) {
      if (isConcerned(revocation, speech)) {
        this.#lookAgain(speech).catch((error) => {
          this.#site.log.error({ err: error }, 'a consent could not be read');
          speech.revoke(1011, 'internal error');
        });
      }
    }
  }

  /** Ends the capture unless it may go on. A look-up that waits is shared: it also reads what ends meanwhile. */
  #lookAgain(speech: SpeechSocket): Promise<void> {
    const found = this.#waiting.get(speech);
    if (found) return found;
    const { claims } = speech.speaker;
    // Begins after it is known to wait.
    const lookUp = Promise.resolve().then(() =>
      lookUps.run(lookUpKeyOf(claims), async () => {
        this.#waiting.delete(speech);
        if (this.#sockets.get(claims.participantId) === speech) await this.#lookUp(speech);
      }),
    );
    this.#waiting.set(speech, lookUp);
    return lookUp;
  }

  async #lookUp(speech: SpeechSocket): Promise<void> {
    const { speaker } = speech;
    try {
      const { claims, tenant, name } = speaker;
      const { isHeld } = await admitByClaims(this.#site, claims, name, tenant.address, true);
      if (isHeld) throw notCaptured();
      await requireMaySpeak(speaker);
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      speech.revoke(error.closeCode, error.message);
    }
  }
}

function isConcerned(revocation: Revocation, { speaker }: SpeechSocket): boolean {
  if (revocation.kind !== 'capture') return concerns(revocation, speaker.claims);
  const { callId, participantId } = revocation;
  return callId === speaker.callId || participantId === speaker.participantId;
}

function tokenIn(text: string): string | null {
  try {
    const message = speechToServer.parse(JSON.parse(text));
    return message.type === 'hello' && message.protocol === speechProtocol ? message.token : null;
  } catch {
    return null;
  }
}
