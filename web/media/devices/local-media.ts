import type { MediaState } from '#domain/calls/participant.ts';
import { WritableStore } from '#web/live/store.ts';
import type { BlurTrouble } from '../blur/blur-camera.ts';
import type { Tracks } from '../webrtc.ts';
import { Background } from './background.ts';
import type { DeviceKind, DeviceProblem } from './device-problem.ts';
import { type Chosen, type DeviceLists, type Got, getDevices, listDevices } from './devices.ts';

export type LocalMediaState = {
  /** What the person wants on. `sent` is what is really sent. */
  wished: MediaState;
  audio: MediaStreamTrack | null;
  /** The video as it is sent: the camera's, or the blurred one. */
  video: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  /** This participant's own video, for this page to show. */
  picture: MediaStream | null;
  problems: Partial<Record<DeviceKind, DeviceProblem>>;
  chosen: Chosen;
  lists: DeviceLists;
  blur: 'off' | 'starting' | 'on';
  /** `failedUnseen`: blur failed before any camera video was sent. */
  blurTrouble: BlurTrouble | 'failedUnseen' | null;
  /** Waiting for the devices, or for the answer to the permission prompt. */
  asking: boolean;
};

/** This participant's microphone and camera: requests, switches, changes, and releases them. */
export class LocalMedia extends WritableStore<LocalMediaState> {
  readonly #background = new Background();
  #onTracks: () => void = () => {};
  /** Counts the calls of `stop`: a device that was requested before one is released when it arrives. */
  #stops = 0;

  constructor(wished: MediaState, chosen: Chosen) {
    super({
      wished,
      audio: null,
      video: null,
      camera: null,
      picture: null,
      problems: {},
      chosen,
      lists: { microphones: [], cameras: [], speakers: [] },
      blur: 'off',
      blurTrouble: null,
      asking: false,
    });
  }

  onTracks(listener: () => void): void {
    this.#onTracks = listener;
  }

  get tracks(): Pick<Tracks, 'audio' | 'video'> {
    const { audio, video } = this.getSnapshot();
    return { audio, video };
  }

  /** What the others receive: on means that the device is there or starting. */
  get sent(): MediaState {
    const { wished, audio, video, asking, problems } = this.getSnapshot();
    const on = (kind: DeviceKind, track: MediaStreamTrack | null) =>
      wished[kind] && (track !== null || (asking && problems[kind] === undefined));
    return { audio: on('audio', audio), video: on('video', video) };
  }

  /**
   * Requests the wanted devices; resolves when the browser has answered, even with a refusal.
   * @param before is awaited first; until then the others see the devices as starting
   */
  async start(before?: Promise<void>): Promise<void> {
    if ('mediaDevices' in navigator) {
      navigator.mediaDevices.ondevicechange = () => void this.#devicesChanged();
    }
    if (before) {
      this.update({ asking: true });
      const stops = this.#stops;
      await before;
      if (stops !== this.#stops) return;
    }
    await this.#get(this.getSnapshot().wished);
  }

  /** A muted microphone stays open. A camera that is off is released, and its light goes out. */
  async switch(kind: DeviceKind, on: boolean): Promise<void> {
    this.update({ wished: { ...this.getSnapshot().wished, [kind]: on } });
    const track = this.#device(kind);
    if (on && track === null) return this.#get({ audio: false, video: false, [kind]: true });
    if (kind === 'audio' && track) track.enabled = on;
    if (kind === 'video' && !on) this.#put('video', null);
    this.#onTracks();
  }

  /** Requests again the wanted devices that are missing. */
  async retry(): Promise<void> {
    const { wished, audio, camera } = this.getSnapshot();
    await this.#get({ audio: wished.audio && !audio, video: wished.video && !camera });
  }

  /** Continues without devices that cannot be used. */
  doWithout(kinds: readonly DeviceKind[]): void {
    const wished = { ...this.getSnapshot().wished };
    const problems = { ...this.getSnapshot().problems };
    for (const kind of kinds) {
      wished[kind] = false;
      delete problems[kind];
    }
    this.update({ wished, problems });
    this.#onTracks();
  }

  async choose(kind: DeviceKind, deviceId: string): Promise<void> {
    const { chosen, wished } = this.getSnapshot();
    const changed = kind === 'audio' ? { microphoneId: deviceId } : { cameraId: deviceId };
    this.update({ chosen: { ...chosen, ...changed } });
    if (!wished[kind]) return this.#put(kind, null);
    // Some cameras cannot be opened twice, and many phones cannot open two at a time.
    if (kind === 'video') this.getSnapshot().camera?.stop();
    await this.#get({ audio: false, video: false, [kind]: true }, true);
  }

  chooseSpeaker(speakerId: string): void {
    this.update({ chosen: { ...this.getSnapshot().chosen, speakerId } });
    this.#onTracks();
  }

  hideBlurTrouble(): void {
    this.update({ blurTrouble: null });
  }

  /** With blur on, no unblurred frame is sent. During a call the change leaves no gap. */
  async blur(on: boolean): Promise<void> {
    const { chosen, camera } = this.getSnapshot();
    this.update({ chosen: { ...chosen, blur: on }, blurTrouble: null });
    if (!on) this.#show(camera, 'off');
    else if (camera) await this.#cover(camera);
    this.#onTracks();
  }

  stop(): void {
    this.#stops += 1;
    this.#put('audio', null);
    this.#put('video', null);
    this.update({ asking: false });
    this.#onTracks();
  }

  async #get(wish: MediaState, exact = false): Promise<void> {
    this.update({ asking: true });
    const stops = this.#stops;
    const got = await getDevices(wish, this.getSnapshot().chosen, exact);
    if (stops !== this.#stops) {
      for (const track of got.tracks) track.stop();
      return;
    }
    this.#take(got, wish);
    const { camera, video } = this.getSnapshot();
    if (wish.video && camera && !video) {
      // Audio does not wait for the blur.
      this.#onTracks();
      await this.#cover(camera);
      if (stops !== this.#stops) return;
    }
    this.update({ asking: false });
    this.#onTracks();
    await this.#list();
  }

  /** Sends the camera video once its background is blurred. */
  async #cover(camera: MediaStreamTrack): Promise<void> {
    this.update({ blur: 'starting' });
    const isWished = () =>
      this.getSnapshot().camera === camera && this.getSnapshot().chosen.blur === true;
    try {
      const video = await this.#background.cover(camera, (trouble) => this.#uncover(trouble));
      if (isWished()) this.#show(video, 'on');
    } catch (error) {
      console.warn('rapport: the background could not be blurred', error);
      if (isWished()) this.#uncover('failed');
    }
  }

  /** If blur is too slow, the camera video goes on unblurred. If no video was sent yet, none is sent. */
  #uncover(trouble: BlurTrouble): void {
    const { camera, video, chosen, wished } = this.getSnapshot();
    const isSeen = trouble === 'slow' || video === camera;
    this.update({
      chosen: { ...chosen, blur: false },
      blurTrouble: isSeen ? trouble : 'failedUnseen',
      wished: { ...wished, video: isSeen },
    });
    if (isSeen) this.#show(camera, 'off');
    else this.#put('video', null);
    this.#onTracks();
  }

  #show(video: MediaStreamTrack | null, blur: LocalMediaState['blur']): void {
    if (blur === 'off') this.#background.uncover();
    this.update({ video, blur, picture: video && new MediaStream([video]) });
  }

  #take({ tracks, problems }: Got, wish: MediaState): void {
    const kept = { ...this.getSnapshot().problems };
    for (const kind of ['audio', 'video'] as const) {
      if (!wish[kind]) continue;
      delete kept[kind];
      const track = tracks.find((one) => one.kind === kind) ?? null;
      const stillWished = this.getSnapshot().wished[kind];
      if (track && kind === 'audio') track.enabled = stillWished;
      if (track && kind === 'video' && !stillWished) track.stop();
      else this.#put(kind, track);
    }
    this.update({ problems: { ...kept, ...problems } });
  }

  #put(kind: DeviceKind, track: MediaStreamTrack | null): void {
    const before = this.#device(kind);
    if (before !== track) before?.stop();
    if (track) track.onended = () => void this.#lost(kind, track);
    if (kind === 'audio') this.update({ audio: track });
    else this.#putCamera(track);
  }

  /** With blur on, nothing is sent before the blur covers the camera. */
  #putCamera(camera: MediaStreamTrack | null): void {
    this.update({ camera });
    this.#show(this.getSnapshot().chosen.blur === true ? null : camera, 'off');
  }

  #device(kind: DeviceKind): MediaStreamTrack | null {
    const { audio, camera } = this.getSnapshot();
    return kind === 'audio' ? audio : camera;
  }

  /** The device was unplugged, or the browser ended the track: uses another one, if there is one. */
  async #lost(kind: DeviceKind, track: MediaStreamTrack): Promise<void> {
    if (this.#device(kind) !== track) return;
    this.#put(kind, null);
    this.#onTracks();
    if (this.getSnapshot().wished[kind]) {
      await this.#get({ audio: false, video: false, [kind]: true });
    }
  }

  /** A device was plugged in or out; a missing one may be there now. */
  async #devicesChanged(): Promise<void> {
    const { problems, wished } = this.getSnapshot();
    const back = (kind: DeviceKind) => wished[kind] && problems[kind] === 'missing';
    const wish = { audio: back('audio'), video: back('video') };
    if (wish.audio || wish.video) await this.#get(wish);
    else await this.#list();
  }

  async #list(): Promise<void> {
    this.update({ lists: await listDevices() });
  }
}
