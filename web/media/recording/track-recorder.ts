import { chooseFormat, type Detail } from './formats.ts';
import type { SegmentRecord } from './part-store.ts';
import { takePosters } from './poster.ts';
import { smallerPicture } from './small-picture.ts';

/** What is recorded together, so that the lips stay in time with the voice. */
export type RecordedTracks = { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };

/** Receives what a recorder makes (uploader.ts). */
export interface PartReceiver {
  begin(record: SegmentRecord): Promise<void>;
  add(key: string, number: number, content: Blob): Promise<void>;
  finish(key: string, partCount: number): void;
  /** A picture that stands for the segment. */
  poster(key: string, content: Blob): void;
}

export interface TrackRecorderOptions {
  source: SegmentRecord['source'];
  receiver: PartReceiver;
  token: () => string;
  callId: () => string | undefined;
  /** Holds the segment for this page, so that no other page takes it over. */
  hold: (key: string) => void;
  /** The browser cannot record, or stopped recording. */
  onFailed: () => void;
}

const partMs = 2_000;
const bitsPerSecond = { videoBitsPerSecond: 1_000_000, audioBitsPerSecond: 48_000 };
const smallBitsPerSecond = { videoBitsPerSecond: 400_000, audioBitsPerSecond: 48_000 };
/** Chromium; other browsers ignore it. A part that starts with a key frame can be played alone. */
const keyFrames: object = { videoKeyFrameIntervalDuration: partMs };

export const isSupported = (mimeType: string) => MediaRecorder.isTypeSupported(mimeType);

/** Records the tracks of one source. Another track begins another segment. */
export class TrackRecorder {
  readonly #options: TrackRecorderOptions;
  #tracks: RecordedTracks = { audio: null, video: null };
  #detail: Detail = 'full';
  #stop: (() => Promise<void>) | null = null;

  constructor(options: TrackRecorderOptions) {
    this.#options = options;
  }

  /** Records these tracks from now on; nothing if there are none. */
  follow(tracks: RecordedTracks): void {
    if (tracks.audio === this.#tracks.audio && tracks.video === this.#tracks.video) return;
    this.#tracks = tracks;
    this.#restart();
  }

  /** Records less of the picture from now on, in another segment. */
  reduce(detail: Detail): void {
    if (detail === this.#detail) return;
    this.#detail = detail;
    if (this.#tracks.video) this.#restart();
  }

  #restart(): void {
    void this.#stop?.();
    this.#stop = null;
    if (this.#tracks.audio || this.#tracks.video) this.#record(this.#tracks);
  }

  /** @returns once the last part is with the receiver */
  async stop(): Promise<void> {
    const stopped = this.#stop?.();
    this.#stop = null;
    this.#tracks = { audio: null, video: null };
    await stopped;
  }

  #record({ audio, video }: RecordedTracks): void {
    const format = chooseFormat(video !== null, isSupported, this.#detail);
    if (!format) {
      this.#options.onFailed();
      return;
    }
    const picture = format.hasVideo ? video : null;
    if (!picture && !audio) return;
    const small = picture && format.small ? smallerPicture(picture) : null;
    const recorded = [audio, small?.track ?? picture].filter((track) => track !== null);
    const bitrates = format.small ? smallBitsPerSecond : bitsPerSecond;
    try {
      const options = { mimeType: format.mimeType, ...bitrates, ...keyFrames };
      const recorder = new MediaRecorder(new MediaStream(recorded), options);
      this.#stop = this.#run(recorder, picture, () => small?.stop());
    } catch {
      small?.stop();
      this.#options.onFailed();
    }
  }

  /** @returns a function that stops it */
  #run(
    recorder: MediaRecorder,
    picture: MediaStreamTrack | null,
    release: () => void,
  ): () => Promise<void> {
    const { source, receiver, token, callId, hold, onFailed } = this.#options;
    const key = crypto.randomUUID();
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    let parts = 0;
    let work = Promise.resolve();
    let endPosters = () => {};
    const queue = (step: () => Promise<void> | void) => {
      work = work.then(step).catch(onFailed);
    };
    recorder.onstart = () => {
      const mimeType = recorder.mimeType;
      const hasVideo = picture !== null;
      const record = {
        key,
        source,
        mimeType,
        hasVideo,
        startedAt,
        token: token(),
        callId: callId(),
      };
      hold(key);
      queue(() => receiver.begin(record));
      if (picture)
        endPosters = takePosters(picture, (poster) => queue(() => receiver.poster(key, poster)));
    };
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return;
      const number = parts;
      parts += 1;
      queue(() => receiver.add(key, number, data));
    };
    recorder.onerror = () => onFailed();
    recorder.onstop = () => {
      release();
      endPosters();
      queue(() => receiver.finish(key, parts));
      void work.then(resolve);
    };
    // The event `start` waits for its turn on a page that has just joined a call, and the recorder does not.
    const startedAt = Date.now();
    recorder.start(partMs);
    return () => {
      if (recorder.state !== 'inactive') recorder.stop();
      return stopped;
    };
  }
}
