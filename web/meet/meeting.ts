import type {
  CallState,
  MediaState,
  ToBrowser,
  ToServer,
  WaitingGuest,
  Welcome,
} from '#domain/calls/live.ts';
import {
  type ConnectionStatus,
  type Introduction,
  LiveSocket,
  type WebSocketLike,
} from '../live/live-socket.ts';
import { Credentials, type CredentialsOptions } from './credentials.ts';
import type { LocalMedia } from './devices/local-media.ts';
import { type RememberedChoice, readChoice, rememberChoice } from './devices/remembered-choice.ts';
import { ScreenShare } from './devices/screen-share.ts';
import { type Ending, endingOf } from './ending.ts';
import type { Frame } from './frame.ts';
import { markNamesakes } from './namesakes.ts';
import { type Reach, reachOf } from './network/reach.ts';
import type { ConnectionMaker } from './paths/connection.ts';
import type { Link } from './paths/link.ts';
import { MediaPaths } from './paths/media-paths.ts';
import { Mesh } from './paths/mesh.ts';
import type { PeerView } from './paths/peer-view.ts';
import type { MakeServerPath } from './paths/server-path.ts';
import type { WatchedPath } from './paths/watched-path.ts';
import type { Connection, IceServers } from './paths/webrtc.ts';
import { emptyRoster, forgetMissing, nextRoster, othersInMeeting, type Roster } from './roster.ts';
import { WritableStore } from './store.ts';

export type Wait = Extract<ToBrowser, { type: 'waiting' }>;

export type MeetingState = {
  phase: 'preview' | 'meeting' | 'over';
  ending: Ending | null;
  link: ConnectionStatus;
  roster: Roster;
  views: ReadonlyMap<string, PeerView>;
  room: { topic: string } | null;
  organization: { name: string; brandColor: string; logoUrl: string | null } | null;
  call: CallState | null;
  /** When the own hand was raised, ISO 8601. */
  hand: string | null;
  /** May mute others, remove guests and lock the call. */
  isHost: boolean;
  /** Who has turned this page's microphone off, from a distance. */
  mutedBy: string | null;
  /** This person's own wait in the lobby. */
  wait: Wait | null;
  /** Guests in the lobby, as far as this person may let them in. */
  guests: readonly WaitingGuest[];
  /** How many wait beside those in `guests`. */
  hiddenGuests: number;
  /** Null until the server has said which ICE servers it has. */
  reach: Reach | null;
};

export type MeetingOptions = CredentialsOptions & {
  media: LocalMedia;
  frame: Frame;
  deviceStorage: Storage;
  openWebSocket: () => WebSocketLike;
  connections: Pick<ConnectionMaker, 'beginOffer' | 'prepare' | 'say' | 'use'> & {
    make: () => Connection;
  };
  loadServerPath: () => Promise<MakeServerPath>;
  /** What the devices wait for where somebody goes straight into the meeting. */
  beforeDevices?: (meeting: Meeting) => Promise<void>;
  newId: () => string;
  /** Of the page's address. */
  hostname: string;
};

/**
 * So long the page is not drawn anew when somebody comes: drawing takes as long as answering the offer,
 * which is what both are waiting for.
 */
const newcomerMs = 200;

/** How long somebody may take to come back after the server began anew, where no media come of them. */
const missingMs = 15_000;

/** One person's meeting from the preview to the goodbye: line, roster, peers and own devices. */
export class Meeting extends WritableStore<MeetingState> {
  readonly media: LocalMedia;
  readonly screen = new ScreenShare();
  readonly #options: MeetingOptions;
  readonly #paths: MediaPaths;
  readonly #credentials: Credentials;
  readonly #listeners: ((message: ToBrowser) => void)[] = [];
  #socket: LiveSocket | null = null;
  /** The roster with everybody's name as the server tells it. */
  #called: Roster = emptyRoster;
  #iceServers: IceServers = [];
  #name: string | undefined;
  /** The hello that was said last had media in it. */
  #saidMedia = false;
  /** The server knows that this person is in the meeting, and the peers are being called. */
  #entered = false;
  #missingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: MeetingOptions) {
    const guest = options.entry.kind === 'guest' ? options.entry : null;
    super({
      phase: 'preview',
      ending: null,
      link: 'connecting',
      roster: emptyRoster,
      views: new Map(),
      room: guest?.room ?? null,
      organization: guest?.organization ?? null,
      call: null,
      hand: null,
      isHost: false,
      mutedBy: null,
      wait: null,
      guests: [],
      hiddenGuests: 0,
      reach: null,
    });
    this.#options = options;
    this.#credentials = new Credentials(options);
    this.media = options.media;
    const tracks = () => ({ ...this.media.tracks, ...this.screen.tracks });
    const mesh = new Mesh({
      prepare: options.connections.prepare,
      makeConnection: options.connections.make,
      beginOffer: options.connections.beginOffer,
      newId: options.newId,
      send: (to, signal) => this.#send({ type: 'signal', to, signal }),
      online: () => this.getSnapshot().link === 'online',
      tracks,
      onViews: () => this.#paths.show(),
    });
    this.#paths = new MediaPaths({
      mesh,
      loadServerPath: options.loadServerPath,
      tracks,
      roster: () => this.getSnapshot().roster,
      onViews: (views) => this.update({ views }),
      onLost: (room) => this.#send({ type: 'media-lost', room }),
    });
    this.media.onTracks(() => this.#tracksChanged());
    this.screen.onTracks(() => this.#tracksChanged());
    options.frame.onLeave(() => this.leave());
  }

  get needsName(): boolean {
    return this.#options.entry.kind === 'guest';
  }

  get links(): ReadonlyMap<string, Link> {
    return this.#paths.links;
  }

  /** The ways that the media go, by the participant at the other end. */
  get watched(): ReadonlyMap<string, WatchedPath> {
    return this.#paths.watched;
  }

  /** What the server names, for a test of the way there. */
  get iceServers(): IceServers {
    return this.#iceServers;
  }

  async roundTripMs(): Promise<number | null> {
    return this.#socket?.roundTripMs() ?? null;
  }

  get isFramed(): boolean {
    return this.#options.frame.isFramed;
  }

  /** A guest's own name; staff are named by the server. */
  get ownName(): string | undefined {
    return this.needsName ? this.#name : undefined;
  }

  /** What was chosen last time on this device. */
  get choice(): RememberedChoice {
    return readChoice(this.#options.deviceStorage);
  }

  choose(changed: Partial<RememberedChoice>): void {
    rememberChoice(this.#options.deviceStorage, changed);
  }

  /** The page has just opened. Straight in where somebody chose so, or only reloaded the tab. */
  open(): void {
    const { choice } = this;
    const reloaded = this.#credentials.wasInMeeting;
    const knows = !this.needsName || choice.name !== undefined;
    if (knows) this.#name = choice.name;
    this.#begin(knows && (choice.skipPreview || reloaded) ? 'meeting' : 'preview');
    this.#options.frame.tell({ type: 'ready' });
  }

  join(name: string | undefined): void {
    this.#name = name;
    if (name !== undefined) this.choose({ name });
    this.update({ phase: 'meeting' });
    const { wait } = this.getSnapshot();
    if (wait !== null) this.#comeIn(wait);
    else if (this.#isOnline) this.#enter(this.getSnapshot().roster);
  }

  leave(): void {
    if (this.getSnapshot().phase === 'over') return;
    this.#send({ type: 'leave' });
    this.#end('left');
  }

  /** The tab is closed or reloaded: the others need not wait for somebody who may be back. */
  pageCloses(): void {
    this.#send({ type: 'leave' });
  }

  /** Back in, after leaving or being refused. */
  rejoin(): void {
    const knows = !this.needsName || this.#name !== undefined;
    this.#begin(knows ? 'meeting' : 'preview');
  }

  raiseHand(up: boolean): void {
    this.update({ hand: up ? new Date().toISOString() : null });
    if (this.#entered) this.#send({ type: 'media', media: this.#sent });
  }

  /** Says something that is not about media or presence. @returns whether it went out */
  say(message: ToServer): boolean {
    return this.#entered && this.#send(message);
  }

  /** Hears everything that the server says, from now on and once this meeting has taken it in. */
  hear(listener: (message: ToBrowser) => void): void {
    this.#listeners.push(listener);
  }

  networkIs(there: boolean): void {
    if (there) this.#socket?.hurry();
    else this.#socket?.drop();
  }

  #begin(phase: 'preview' | 'meeting'): void {
    this.#called = emptyRoster;
    this.update({ phase, ending: null, link: 'connecting', roster: emptyRoster, wait: null });
    void this.media.start(this.#options.beforeDevices?.(this));
    const token = this.#credentials.first();
    if (token === null) {
      this.#end('tokenRefused');
      return;
    }
    this.#socket = new LiveSocket({
      token,
      openWebSocket: this.#options.openWebSocket,
      introduce: () => this.#introduce(),
      onMessage: (message) => this.#receive(message),
      onState: (link) => this.update({ link }),
      onRefused: (code) => void this.#refused(endingOf(code)),
    });
  }

  #introduce(): Introduction {
    this.#saidMedia = this.getSnapshot().phase === 'meeting';
    const { ownName: name } = this;
    const comes = this.#saidMedia && !this.#entered;
    const offer = comes ? this.#options.connections.say() : null;
    return {
      ...(name !== undefined && { name }),
      ...(this.#saidMedia && { media: this.#sent }),
      ...(offer && { offer }),
    };
  }

  #receive(message: ToBrowser): void {
    const before = this.getSnapshot().roster;
    const called = nextRoster(this.#called, message);
    const roster = called === this.#called ? before : markNamesakes(called);
    this.#called = called;
    if (this.#entered && somebodyCame(before, roster)) this.tellLater(newcomerMs);
    this.update({ roster });
    if (message.type === 'welcome') this.#welcomed(message);
    if (message.type === 'call-started' || message.type === 'call-changed') {
      this.update({ call: message.call });
    }
    if (message.type === 'waiting') this.#wait(message);
    if (message.type === 'lobby') this.#seeWaiting(message.guests, message.hidden);
    if (message.type === 'rights') this.#mayHost(message.mayEdit);
    if (message.type === 'muted') this.#muted(message.by);
    this.#paths.learn(message);
    if (message.type === 'call-ended' && this.#entered) this.#end('callEnded');
    else if (this.#entered) this.#paths.follow(message, before, roster);
    else if (message.type === 'welcome' && this.getSnapshot().phase === 'meeting') {
      this.#enter(roster, message.offered);
    }
    for (const listener of this.#listeners) listener(message);
    // Last, since the browser's storage keeps everything waiting.
    if (message.type === 'welcome') this.#keep(message.token);
  }

  /** Who waits is told to hosts alone, and to a new one next. */
  #mayHost(isHost: boolean): void {
    this.update({ isHost });
    if (!isHost) this.#seeWaiting([]);
  }

  #muted(by: string): void {
    void this.media.switch('audio', false);
    this.update({ mutedBy: by });
  }

  #welcomed({ iceServers, room, organization, call, mayEdit, resumed }: Welcome): void {
    this.#takeIce(iceServers);
    this.update({ room, organization, call, isHost: mayEdit, wait: null });
    // Who waits is told anew to a host, after a welcome that begins a session.
    if (!resumed) this.update({ guests: [], hiddenGuests: 0 });
    this.#forgetMissingSoon();
  }

  #takeIce(iceServers: IceServers): void {
    this.#iceServers = iceServers;
    this.#options.connections.use(iceServers);
    this.update({ reach: reachOf(iceServers.length, this.#options.hostname) });
  }

  #keep(token: string): void {
    this.#credentials.accepted(token, this.getSnapshot().phase === 'meeting');
  }

  #wait(wait: Wait): void {
    this.update({ wait });
    if (wait.iceServers) this.#takeIce(wait.iceServers);
    if (this.getSnapshot().phase === 'meeting' && wait.since === null) this.#comeIn(wait);
    this.#keep(wait.token);
  }

  /** Out of a guest's preview: a hello with media on the same line, or a question to the host. */
  #comeIn({ mustAsk }: Wait): void {
    if (mustAsk) {
      this.#ask();
      return;
    }
    this.update({ wait: null });
    this.#socket?.sayHelloAgain();
  }

  #seeWaiting(guests: readonly WaitingGuest[], hiddenGuests = 0): void {
    this.update({ guests, hiddenGuests });
    this.#options.frame.tell({ type: 'waiting', count: guests.length + hiddenGuests });
  }

  #ask(): void {
    const { ownName: name } = this;
    this.#send({ type: 'join', ...(name !== undefined && { name }), media: this.#sent });
  }

  #enter(roster: Roster, offered?: string): void {
    this.#entered = true;
    if (!this.#saidMedia) {
      this.#ask();
      this.#saidMedia = true;
    }
    this.#paths.enter(roster, offered);
    this.#credentials.entered(true);
    this.#options.frame.tell({ type: 'joined' });
  }

  #forgetMissingSoon(): void {
    clearTimeout(this.#missingTimer);
    this.#missingTimer = setTimeout(() => this.#forgetMissing(), missingMs);
  }

  #forgetMissing(): void {
    const { watched } = this;
    const flows = (id: string) => watched.get(id)?.connected === true;
    this.#called = forgetMissing(this.#called, flows);
    const roster = markNamesakes(this.#called);
    this.update({ roster });
    this.#paths.prune(roster);
    if (roster.missing.length > 0) this.#forgetMissingSoon();
  }

  async #refused(ending: Ending): Promise<void> {
    const socket = this.#socket;
    const token = ending === 'tokenRefused' ? await this.#credentials.next() : null;
    if (socket !== this.#socket) return;
    if (token === null) {
      this.#end(ending);
      return;
    }
    // A token of another time is another person to the others: the paths to them begin anew.
    this.#paths.closeAll();
    this.#entered = false;
    socket?.renew(token);
  }

  #end(ending: Ending): void {
    const reached = this.#entered;
    this.#socket?.close();
    this.#socket = null;
    this.#entered = false;
    clearTimeout(this.#missingTimer);
    this.#paths.closeAll();
    this.screen.stop();
    this.media.stop();
    this.update({ phase: 'over', ending, wait: null });
    this.tellNow();
    if (this.getSnapshot().guests.length > 0) this.#seeWaiting([]);
    this.#credentials.entered(false);
    const { frame } = this.#options;
    if (ending === 'left') frame.tell({ type: 'left' });
    else if (ending === 'callEnded' && reached) frame.tell({ type: 'call-ended' });
    else frame.tell({ type: 'failed', code: ending });
  }

  #tracksChanged(): void {
    const { mutedBy } = this.getSnapshot();
    if (mutedBy !== null && this.media.sent.audio) this.update({ mutedBy: null });
    this.#paths.putTracks();
    if (this.#entered) this.#send({ type: 'media', media: this.#sent });
    const { wished, chosen } = this.media.getSnapshot();
    this.choose({ ...wished, ...chosen });
  }

  get #sent(): MediaState {
    const { hand } = this.getSnapshot();
    return {
      ...this.media.sent,
      ...(this.screen.tracks.screen && { screen: true }),
      ...(hand !== null && { hand }),
    };
  }

  get #isOnline(): boolean {
    return this.getSnapshot().link === 'online' && this.getSnapshot().roster.self !== null;
  }

  #send(message: ToServer): boolean {
    return this.#socket?.send(message) ?? false;
  }
}

const somebodyCame = (before: Roster, after: Roster): boolean =>
  othersInMeeting(after).length > othersInMeeting(before).length;
