import type { LocalMedia } from '#web/media/devices/local-media.ts';
import type { ScreenShare } from '#web/media/devices/screen-share.ts';
import type { MonitoredConnection } from '#web/media/monitored-connection.ts';
import { openPartStore } from './file-part-store.ts';
import { type Detail, lessDetail } from './formats.ts';
import { recordingServer } from './recording-server.ts';
import { claimSegment, holdSegment } from './segment-locks.ts';
import { StepDown } from './step-down.ts';
import { isSupported, TrackRecorder } from './track-recorder.ts';
import { Uploader } from './uploader.ts';

export interface RecordedPage {
  media: LocalMedia;
  screen: ScreenShare;
  /** The connections that carry the call's media. */
  monitored: () => ReadonlyMap<string, MonitoredConnection>;
  token: () => string;
  /** The call that is running. */
  callId: () => string | undefined;
  /** The browser cannot record, or stopped recording. */
  onFailed: () => void;
  /** Their participant has withdrawn from the recording of a call, which need not be the running one. */
  onWithdrawn: (callId: string | undefined) => void;
  /** From now on less is recorded, so that the call stays fluent. */
  onReduced: (detail: Detail) => void;
}

/** Records this page's own microphone, camera, and screen, and sends it to the server. */
export class OwnRecording {
  readonly uploader: Uploader;
  readonly #page: RecordedPage;
  readonly #camera: TrackRecorder;
  readonly #screen: TrackRecorder;
  readonly #stepDown: StepDown;
  #detail: Detail = 'full';
  #stopFollowing: (() => void) | null = null;

  static async open(page: RecordedPage): Promise<OwnRecording> {
    const uploader = new Uploader({
      store: await openPartStore(),
      server: recordingServer,
      mayUploadVideo: async () => !(await isStarved(page.monitored())),
      onWithdrawn: page.onWithdrawn,
      claim: claimSegment,
    });
    return new OwnRecording(page, uploader);
  }

  private constructor(page: RecordedPage, uploader: Uploader) {
    this.#page = page;
    this.uploader = uploader;
    const { token, callId, onFailed } = page;
    const parts = { receiver: uploader, token, callId, hold: holdSegment, onFailed };
    this.#camera = new TrackRecorder({ source: 'camera', ...parts });
    this.#screen = new TrackRecorder({ source: 'screen', ...parts });
    this.#stepDown = new StepDown(page.monitored, () => this.#reduce());
    addEventListener('online', () => uploader.hurry());
  }

  get isOn(): boolean {
    return this.#stopFollowing !== null;
  }

  start(): void {
    if (this.isOn) return;
    const { media, screen } = this.#page;
    const follow = () => {
      this.#camera.follow(media.tracks);
      const { screen: video, screenAudio: audio } = screen.tracks;
      this.#screen.follow({ audio, video });
    };
    // Who leaves loses one track after the other, and the last of them is no segment of its own.
    let isDue = false;
    const followSoon = () => {
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        if (this.isOn) follow();
      });
    };
    const stops = [media.subscribe(followSoon), screen.subscribe(followSoon)];
    this.#stopFollowing = () => {
      for (const stop of stops) stop();
    };
    this.#stepDown.start();
    follow();
  }

  #reduce(): void {
    const less = lessDetail(this.#detail, isSupported);
    if (!less) return;
    this.#detail = less;
    this.#camera.reduce(less);
    // What is shown on a screen is rarely in anyone's words.
    this.#screen.reduce('small');
    this.#page.onReduced(less);
  }

  /** @returns once the last part is kept */
  async stop(): Promise<void> {
    this.#stopFollowing?.();
    this.#stopFollowing = null;
    this.#stepDown.stop();
    await Promise.all([this.#camera.stop(), this.#screen.stop()]);
  }

  /** Throws away what is not yet sent of a call, and records no more if it is the running one. */
  async discard(callId: string | undefined): Promise<void> {
    // Before the recorders hand on their last parts, which would be sent.
    const discarded = this.uploader.discard(callId);
    if (callId === this.#page.callId()) await this.stop();
    await discarded;
    await this.uploader.discard(callId);
  }
}

/** Whether the call has too little bandwidth for its own picture. */
async function isStarved(monitored: ReadonlyMap<string, MonitoredConnection>): Promise<boolean> {
  const stats = await Promise.all([...monitored.values()].map((one) => one.stats()));
  return stats
    .flat()
    .some(
      ({ type, kind, active, qualityLimitationReason }) =>
        type === 'outbound-rtp' &&
        kind === 'video' &&
        active !== false &&
        qualityLimitationReason === 'bandwidth',
    );
}
