import { WritableStore } from '#web/live/store.ts';

export type ScreenState = {
  /** What is shared just now: a picture, and the sound of it where the browser gives one. */
  stream: MediaStream | null;
  /** The system or the page around this one does not let the browser show the screen. */
  blocked: boolean;
};

/** Text stays readable; a moving picture beyond this costs the others more than it shows them. */
const mostFramesPerSecond = 15;

/** The own screen, window or tab, shown to the others. */
export class ScreenShare extends WritableStore<ScreenState> {
  #onTracks: () => void = () => {};

  constructor() {
    super({ stream: null, blocked: false });
  }

  static get isPossible(): boolean {
    return 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;
  }

  onTracks(listener: () => void): void {
    this.#onTracks = listener;
  }

  get tracks(): { screen: MediaStreamTrack | null; screenAudio: MediaStreamTrack | null } {
    const { stream } = this.getSnapshot();
    return {
      screen: stream?.getVideoTracks()[0] ?? null,
      screenAudio: stream?.getAudioTracks()[0] ?? null,
    };
  }

  /** Asks what to share. Who changes their mind at that question shares nothing, and needs no message. */
  async start(): Promise<void> {
    try {
      const video = { frameRate: { max: mostFramesPerSecond } };
      const stream = await navigator.mediaDevices.getDisplayMedia({ video, audio: true });
      const [picture] = stream.getVideoTracks();
      if (picture === undefined) return;
      picture.contentHint = 'detail';
      // The browser's own "Stop sharing", or the window that was closed.
      picture.onended = () => this.stop();
      this.#put(stream);
    } catch (error) {
      this.update({ blocked: isBlocked(error) });
    }
  }

  stop(): void {
    if (this.getSnapshot().stream !== null) this.#put(null);
  }

  #put(stream: MediaStream | null): void {
    for (const track of this.getSnapshot().stream?.getTracks() ?? []) track.stop();
    this.update({ stream, blocked: false });
    this.#onTracks();
  }
}

/** Said no to the question: "Permission denied". By the system or a policy: anything else. */
const isBlocked = (error: unknown): boolean =>
  error instanceof DOMException &&
  error.name !== 'AbortError' &&
  !(error.name === 'NotAllowedError' && /^Permission denied$/.test(error.message));
