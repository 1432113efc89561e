import { WritableStore } from '#web/live/store.ts';

export type ScreenState = {
  /** The current share: its video, and its audio where the browser provides it. */
  stream: MediaStream | null;
  /** The system or the embedding page does not allow the browser to capture the screen. */
  blocked: boolean;
};

/** Keeps text readable; more frames per second cost the others more than they show. */
const mostFramesPerSecond = 15;

/** This participant's shared screen, window, or tab. */
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

  /** Asks what to share. Canceling that prompt shares nothing and needs no message. */
  async start(): Promise<void> {
    try {
      const video = { frameRate: { max: mostFramesPerSecond } };
      const stream = await navigator.mediaDevices.getDisplayMedia({ video, audio: true });
      const [picture] = stream.getVideoTracks();
      if (picture === undefined) return;
      picture.contentHint = 'detail';
      // The browser's own "Stop sharing", or a window that was closed.
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

/** A refusal at the prompt is "Permission denied". Any other message is from the system or a policy. */
const isBlocked = (error: unknown): boolean =>
  error instanceof DOMException &&
  error.name !== 'AbortError' &&
  !(error.name === 'NotAllowedError' && /^Permission denied$/.test(error.message));
