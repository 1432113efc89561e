import type { ParticipantId, RecordedMediaId, RecordedTrackId } from '#domain/ids.ts';
import type { Recording } from '#domain/recordings/contract.ts';
import { WritableStore } from '#web/live/store.ts';
import { FollowedFile } from './followed-file.ts';
import type { MediaElement } from './media-element.ts';
import { PlaybackClock } from './playback-clock.ts';
import type { PlayerState, Rate } from './player-state.ts';
import { type Stretch, silencesOf } from './silence.ts';
import { fileAt, type PlayedFile, playedFiles } from './timeline.ts';

const tickMs = 100;
/** A file is loaded so long before its track needs it, and given up so long after. */
const aheadMs = 12_000;
const behindMs = 4_000;
/** After play begins, elements start at slightly different times: the clock follows them, not they the clock. */
const settleMs = 400;

export interface PlayerPorts<Element extends MediaElement> {
  createElement: (file: PlayedFile) => Element;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Calls `tick` again and again. @returns the function that ends it */
  every: (ms: number, tick: () => void) => () => void;
  /** Asks for new addresses of the files, which come with `update`. */
  renew: () => void;
}

type Shown = Pick<Recording, 'people' | 'durationMs'>;

/** Plays the files of several people on one clock. Knows nothing of pages. */
export class Player<Element extends MediaElement = MediaElement> {
  readonly state: WritableStore<PlayerState>;
  readonly #ports: PlayerPorts<Element>;
  #tracks = new Map<RecordedTrackId, PlayedFile[]>();
  #silences: Stretch[] = [];
  readonly #followed = new Map<RecordedMediaId, FollowedFile>();
  readonly #elements = new Map<RecordedMediaId, Element>();
  readonly #clock: PlaybackClock;
  /** When play began or jumped. */
  #startedAt = 0;
  #wantsToPlay = false;
  #stopTicking: (() => void) | null = null;

  constructor(recording: Shown, ports: PlayerPorts<Element>, startMs = 0) {
    this.#ports = ports;
    const positionMs = Math.max(0, Math.min(startMs, recording.durationMs));
    this.state = new WritableStore<PlayerState>({
      status: 'paused',
      positionMs,
      durationMs: recording.durationMs,
      rate: 1,
      skipsSilence: false,
      volume: 1,
      isMuted: false,
      hidden: new Set(),
      shown: new Map(),
      failed: new Set(),
    });
    this.#clock = new PlaybackClock(ports.now, positionMs);
    this.update(recording);
  }

  /** Takes over new files and new addresses. What plays goes on from the address that it has. */
  update(recording: Shown): void {
    const files = playedFiles(recording.people);
    this.#tracks = Map.groupBy(files, ({ trackId }) => trackId);
    this.#silences = silencesOf(recording);
    const urls = new Map(files.map((file) => [file.id, file.url]));
    for (const [id, followed] of this.#followed) {
      const url = urls.get(id);
      if (url === undefined) this.#dispose(id);
      else if (followed.mayRetry) this.#reload(followed, url);
    }
    this.state.update({ durationMs: recording.durationMs });
    this.#apply();
  }

  /** The element of a file, while it is loaded. */
  elementOf(id: RecordedMediaId): Element | undefined {
    return this.#elements.get(id);
  }

  play(): void {
    if (this.#wantsToPlay) return;
    const { positionMs, durationMs } = this.state.getSnapshot();
    this.#wantsToPlay = true;
    if (positionMs >= durationMs - tickMs) this.#moveTo(0);
    this.#stopTicking ??= this.#ports.every(tickMs, () => this.#tick());
    this.#apply();
  }

  pause(): void {
    if (!this.#wantsToPlay) return;
    this.#wantsToPlay = false;
    this.#stopTicking?.();
    this.#stopTicking = null;
    this.#setStatus('paused');
    for (const followed of this.#followed.values()) followed.pause();
  }

  toggle(): void {
    if (this.#wantsToPlay) this.pause();
    else this.play();
  }

  seek(positionMs: number): void {
    this.#moveTo(positionMs);
    this.#apply();
  }

  skip(byMs: number): void {
    this.seek(this.#clock.positionMs + byMs);
  }

  setRate(rate: Rate): void {
    this.#clock.setRate(rate);
    this.state.update({ rate });
    this.#apply();
  }

  setSkipsSilence(skipsSilence: boolean): void {
    this.state.update({ skipsSilence });
  }

  setVolume(volume: number): void {
    this.state.update({ volume: Math.max(0, Math.min(1, volume)), isMuted: false });
    this.#apply();
  }

  setMuted(isMuted: boolean): void {
    this.state.update({ isMuted });
    this.#apply();
  }

  setHidden(participantId: ParticipantId, isHidden: boolean): void {
    const hidden = new Set(this.state.getSnapshot().hidden);
    if (isHidden) hidden.add(participantId);
    else hidden.delete(participantId);
    this.state.update({ hidden });
    this.#apply();
  }

  /** Loads the failed files again; their addresses may be new by now. */
  retry(): void {
    const files = new Map([...this.#tracks.values()].flat().map((file) => [file.id, file]));
    for (const [id, followed] of this.#followed) {
      const file = files.get(id);
      if (file && followed.isFailed) this.#reload(followed, file.url, true);
    }
    this.#ports.renew();
    this.#apply();
  }

  dispose(): void {
    this.pause();
    for (const id of [...this.#followed.keys()]) this.#dispose(id);
  }

  #moveTo(positionMs: number): void {
    const { durationMs } = this.state.getSnapshot();
    this.#clock.moveTo(Math.max(0, Math.min(positionMs, durationMs)));
    this.#startedAt = this.#ports.now();
    this.state.update({ positionMs: this.#clock.positionMs });
    for (const followed of this.#followed.values()) followed.jump(this.#reading());
  }

  #tick(): void {
    const { status, durationMs, skipsSilence } = this.state.getSnapshot();
    if (status === 'playing') this.#settle();
    const { positionMs } = this.#clock;
    if (positionMs >= durationMs) {
      this.#clock.moveTo(durationMs);
      this.pause();
      return;
    }
    const silence = skipsSilence
      ? this.#silences.find(({ startMs, endMs }) => positionMs >= startMs && positionMs < endMs)
      : undefined;
    if (silence) this.#moveTo(silence.endMs);
    else this.state.update({ positionMs });
    this.#apply();
  }

  /** Brings the clock, the files that are loaded, and what they do into agreement. */
  #apply(): void {
    this.#loadNear();
    const now = this.#ports.now();
    const active = this.#active();
    const isWaiting = active.filter((one) => one.isAwaited(now)).length > 0;
    this.#setStatus(this.#wantsToPlay ? (isWaiting ? 'buffering' : 'playing') : 'paused');
    const { status, rate, volume, isMuted, hidden } = this.state.getSnapshot();
    for (const followed of this.#followed.values()) {
      const isActive = active.includes(followed);
      followed.element.volume = volume;
      followed.element.muted = isMuted || hidden.has(followed.file.participantId);
      if (!isActive || status !== 'playing') {
        followed.pause();
        continue;
      }
      if (now - this.#startedAt >= settleMs) followed.follow(this.#reading());
      else if (followed.element.playbackRate !== rate) followed.element.playbackRate = rate;
      void followed.play().then((isAllowed) => isAllowed || this.pause());
    }
  }

  #setStatus(status: PlayerState['status']): void {
    if (status === this.state.getSnapshot().status) return;
    this.#clock.setRunning(status === 'playing');
    if (status === 'playing') this.#startedAt = this.#ports.now();
    this.state.update({ status, positionMs: this.#clock.positionMs });
  }

  #settle(): void {
    if (this.#ports.now() - this.#startedAt >= settleMs) return;
    const positions = this.#active().flatMap(({ positionMs }) => positionMs ?? []);
    if (positions.length === 0) return;
    const mean = positions.reduce((sum, one) => sum + one, 0) / positions.length;
    this.#clock.moveTo(mean);
  }

  #reading() {
    const { rate } = this.state.getSnapshot();
    return { positionMs: this.#clock.positionMs, rate, now: this.#ports.now() };
  }

  /** The files at the position, without those of hidden people. */
  #active(): FollowedFile[] {
    const { shown, hidden } = this.state.getSnapshot();
    return [...shown.values()].flatMap((id) => {
      const followed = this.#followed.get(id);
      return followed && !hidden.has(followed.file.participantId) ? [followed] : [];
    });
  }

  #loadNear(): void {
    const { positionMs } = this.#clock;
    const shown = new Map<RecordedTrackId, RecordedMediaId>();
    const near = new Set<RecordedMediaId>();
    for (const [trackId, files] of this.#tracks) {
      const current = fileAt(files, positionMs);
      if (current) shown.set(trackId, current.id);
      for (const file of files) {
        if (positionMs < file.startMs - aheadMs || positionMs > file.endMs + behindMs) continue;
        near.add(file.id);
        if (!this.#followed.has(file.id)) this.#load(file);
      }
    }
    for (const id of [...this.#followed.keys()]) if (!near.has(id)) this.#dispose(id);
    this.#show(shown);
  }

  #show(shown: ReadonlyMap<RecordedTrackId, RecordedMediaId>): void {
    const before = this.state.getSnapshot().shown;
    const isSame =
      before.size === shown.size && [...shown].every(([track, id]) => before.get(track) === id);
    if (!isSame) this.state.update({ shown });
  }

  #load(file: PlayedFile): void {
    const element = this.#ports.createElement(file);
    const followed = new FollowedFile(file, element, (isError) => {
      if (isError && followed.mayRetry) this.#ports.renew();
      this.#tellFailed();
      this.#apply();
    });
    this.#elements.set(file.id, element);
    this.#followed.set(file.id, followed);
    followed.load(this.#reading());
  }

  #reload(followed: FollowedFile, url: string, isAsked = false): void {
    followed.reload(url, isAsked);
    followed.jump(this.#reading());
    this.#tellFailed();
  }

  #dispose(id: RecordedMediaId): void {
    this.#followed.get(id)?.dispose();
    this.#followed.delete(id);
    this.#elements.delete(id);
    this.#tellFailed();
  }

  #tellFailed(): void {
    const before = this.state.getSnapshot().failed;
    const failed = [...this.#followed].flatMap(([id, { isFailed }]) => (isFailed ? [id] : []));
    if (failed.length === before.size && failed.every((id) => before.has(id))) return;
    this.state.update({ failed: new Set(failed) });
  }
}
