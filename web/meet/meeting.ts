import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { MediaState } from '#domain/calls/participant.ts';
import { type Introduction, LiveSocket } from '#web/live/live-socket.ts';
import { emptyRoster, type Roster, someoneJoined } from '#web/live/roster.ts';
import { WritableStore } from '#web/live/store.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { ScreenShare } from '#web/media/devices/screen-share.ts';
import type { PeerConnection } from '#web/media/mesh/peer-connection.ts';
import type { MonitoredConnection } from '#web/media/monitored-connection.ts';
import { reachOf } from '#web/media/network/reach.ts';
import { TransportSwitch } from '#web/media/transport-switch.ts';
import type { IceServers } from '#web/media/webrtc.ts';
import { Calm } from './calm.ts';
import { Credentials } from './credentials.ts';
import { type Ending, endingOf } from './ending.ts';
import type { MeetingOptions } from './meeting-options.ts';
import { MeetingRoster } from './meeting-roster.ts';
import { changedBy, initialState, type MeetingState, type Wait } from './meeting-state.ts';
import { OwnChoices } from './own-choices.ts';

/** How long redrawing is postponed when a participant joins: both pages wait for the answer to the offer. */
const newcomerMs = 200;

/** One participant's meeting from the preview to the end: socket, roster, transports, and devices. */
export class Meeting extends WritableStore<MeetingState> {
  readonly media: LocalMedia;
  readonly choices: OwnChoices;
  readonly screen = new ScreenShare();
  readonly calm: Calm;
  readonly #options: MeetingOptions;
  readonly #transports: TransportSwitch;
  readonly #roster: MeetingRoster;
  readonly #credentials: Credentials;
  readonly #listeners: ((message: ToBrowser) => void)[] = [];
  #socket: LiveSocket | null = null;
  #iceServers: IceServers = [];
  /** The last hello had media in it. */
  #sentMedia = false;
  /** The server knows that this page is in the meeting, and the transports are connecting. */
  #entered = false;

  constructor(options: MeetingOptions) {
    super(initialState(options.entry));
    this.#options = options;
    this.#credentials = new Credentials(options);
    this.media = options.media;
    this.choices = new OwnChoices(options.entry, this.isFramed, options.deviceStorage);
    this.#transports = new TransportSwitch({
      prepare: options.connections.prepare,
      makeConnection: options.connections.make,
      beginOffer: options.connections.beginOffer,
      newId: options.newId,
      send: (to, signal) => this.#send({ type: 'signal', to, signal }),
      online: () => this.getSnapshot().connection === 'online',
      loadSfuTransport: options.loadSfuTransport,
      tracks: () => ({ ...this.media.tracks, ...this.screen.tracks }),
      roster: () => this.getSnapshot().roster,
      onViews: (views) => this.update({ views }),
      onLost: (room) => this.#send({ type: 'media-lost', room }),
    });
    const onForgotten = (roster: Roster) => {
      this.update({ roster });
      this.#transports.prune(roster);
    };
    const flows = (id: string) => this.monitored.get(id)?.connected === true;
    this.#roster = new MeetingRoster({ flows, onForgotten });
    this.media.onTracks(() => this.#tracksChanged());
    this.screen.onTracks(() => this.#tracksChanged());
    this.calm = new Calm(this.#transports, options.frame);
    options.frame.onLeave(() => this.leave());
  }

  get peerConnections(): ReadonlyMap<string, PeerConnection> {
    return this.#transports.peerConnections;
  }

  /** The connections that carry media, by the participant at the other end. */
  get monitored(): ReadonlyMap<string, MonitoredConnection> {
    return this.#transports.monitored;
  }

  /** The ICE servers that the server sent, for the connection test. */
  get iceServers(): IceServers {
    return this.#iceServers;
  }

  async roundTripMs(): Promise<number | null> {
    return this.#socket?.roundTripMs() ?? null;
  }

  get isFramed(): boolean {
    return this.#options.frame.isFramed;
  }

  /** The page has just opened. It joins immediately if that was chosen, or if the tab was reloaded. */
  open(): void {
    this.choices.restoreName();
    const isWanted = this.choices.skipsPreview || this.#credentials.wasInMeeting;
    this.#begin(this.choices.hasName && isWanted ? 'meeting' : 'preview');
    this.#options.frame.post({ type: 'ready' });
  }

  join(name: string | undefined): void {
    this.choices.setName(name);
    this.update({ phase: 'meeting' });
    const { wait, connection, roster } = this.getSnapshot();
    if (wait !== null) this.#leavePreview(wait);
    else if (connection === 'online' && roster.self !== null) this.#enter(roster);
  }

  leave(): void {
    if (this.getSnapshot().phase === 'over') return;
    this.#send({ type: 'leave' });
    this.#end('left');
  }

  /** The tab is closed or reloaded: the others need not wait for this page to reconnect. */
  pageCloses(): void {
    this.#socket?.pageCloses();
  }

  /** Joins again, after leaving or a refusal. */
  rejoin(): void {
    this.#begin(this.choices.hasName ? 'meeting' : 'preview');
  }

  raiseHand(up: boolean): void {
    this.update({ hand: up ? new Date().toISOString() : null });
    if (this.#entered) this.#send({ type: 'media', media: this.#sent });
  }

  /** Sends a message that is not about media or presence; an answer also before joining. @returns whether it was sent */
  send(message: ToServer): boolean {
    return (this.#entered || message.type === 'consent') && this.#send(message);
  }

  /** Calls the listener with each message of the server, once this meeting has handled it. */
  onMessage(listener: (message: ToBrowser) => void): void {
    this.#listeners.push(listener);
  }

  networkIs(there: boolean): void {
    if (there) this.#socket?.hurry();
    else this.#socket?.drop();
  }

  #begin(phase: 'preview' | 'meeting'): void {
    this.#roster.clear();
    this.update({ phase, ending: null, connection: 'connecting', roster: emptyRoster, wait: null });
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
      onState: (connection) => this.update({ connection }),
      onRefused: (code) => void this.#refused(endingOf(code)),
      isCalm: () => this.calm.isCalm(),
    });
  }

  #introduce(): Introduction {
    this.#sentMedia = this.getSnapshot().phase === 'meeting';
    const { name } = this.choices;
    const offer = this.#sentMedia && !this.#entered ? this.#options.connections.earlyOffer() : null;
    return {
      ...(name !== undefined && { name }),
      ...(this.#sentMedia && { media: this.#sent }),
      ...(offer && { offer }),
    };
  }

  #receive(message: ToBrowser): void {
    const before = this.getSnapshot().roster;
    const roster = this.#roster.receive(message);
    if (this.#entered && someoneJoined(before, roster)) this.notifyLater(newcomerMs);
    this.update({ roster, ...changedBy(message) });
    if (message.type === 'welcome') this.#takeIce(message.iceServers);
    if (message.type === 'waiting') this.#wait(message);
    if (message.type === 'lobby' || message.type === 'rights') this.#postWaiting();
    if (message.type === 'muted') void this.media.switch('audio', false);
    this.#transports.learn(message);
    if (message.type === 'call-ended' && this.#entered) this.#end('callEnded');
    else if (this.#entered) this.#transports.follow(message, before, roster);
    else if (message.type === 'welcome' && this.getSnapshot().phase === 'meeting') {
      this.#enter(roster, message.offered);
    }
    for (const listener of this.#listeners) listener(message);
    // Last, since writing to the browser's storage blocks the page.
    if (message.type === 'welcome') this.#keep(message.token);
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
    if (this.#entered) this.#startOver();
    if (wait.iceServers) this.#takeIce(wait.iceServers);
    if (this.getSnapshot().phase === 'meeting' && wait.since === null) this.#leavePreview(wait);
    this.#keep(wait.token);
  }

  /** Leaves a guest's preview: a hello with media on the same socket, or a request to be admitted. */
  #leavePreview({ mustAsk }: Wait): void {
    if (mustAsk) this.#ask();
    else {
      this.update({ wait: null });
      this.#socket?.sendHelloAgain();
    }
  }

  #postWaiting(): void {
    const { guests, hiddenGuests } = this.getSnapshot();
    this.#options.frame.post({ type: 'waiting', count: guests.length + hiddenGuests });
  }

  #ask(): void {
    const { name } = this.choices;
    this.#send({ type: 'join', ...(name !== undefined && { name }), media: this.#sent });
  }

  #enter(roster: Roster, offered?: string): void {
    this.#entered = true;
    if (!this.#sentMedia) {
      this.#ask();
      this.#sentMedia = true;
    }
    this.#transports.enter(roster, offered);
    this.#credentials.entered(true);
    this.#options.frame.post({ type: 'joined' });
  }

  async #refused(ending: Ending): Promise<void> {
    const socket = this.#socket;
    const token = ending === 'tokenRefused' ? await this.#credentials.next() : null;
    if (socket !== this.#socket) return;
    if (token === null) return this.#end(ending);
    // To the others, a new token is a new participant.
    this.#startOver();
    socket?.renew(token);
  }

  #startOver(): void {
    this.#entered = false;
    this.#transports.closeAll();
    this.#roster.clear();
  }

  #end(ending: Ending): void {
    const wasInside = this.#entered;
    this.#socket?.close();
    this.#socket = null;
    this.#entered = false;
    this.#roster.stop();
    this.#transports.closeAll();
    this.screen.stop();
    this.media.stop();
    this.update({ phase: 'over', ending, wait: null, guests: [], hiddenGuests: 0 });
    this.notifyNow();
    this.#postWaiting();
    this.#credentials.entered(false);
    this.#options.frame.postEnding(ending, wasInside);
  }

  #tracksChanged(): void {
    const { mutedBy } = this.getSnapshot();
    if (mutedBy !== null && this.media.sent.audio) this.update({ mutedBy: null });
    this.#transports.putTracks();
    if (this.#entered) this.#send({ type: 'media', media: this.#sent });
    const { wished, chosen } = this.media.getSnapshot();
    this.choices.remember({ ...wished, ...chosen });
  }

  get #sent(): MediaState {
    const { hand } = this.getSnapshot();
    return {
      ...this.media.sent,
      ...(this.screen.tracks.screen && { screen: true }),
      ...(hand !== null && { hand }),
    };
  }

  #send(message: ToServer): boolean {
    return this.#socket?.send(message) ?? false;
  }
}
