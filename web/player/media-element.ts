/** What the clock uses of an HTMLVideoElement. */
export interface MediaElement {
  src: string;
  preload: string;
  currentTime: number;
  playbackRate: number;
  volume: number;
  muted: boolean;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly seeking: boolean;
  readonly readyState: number;
  play(): Promise<void>;
  pause(): void;
  load(): void;
  remove(): void;
  removeAttribute(name: string): void;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The next frame is there, too (HTMLMediaElement.HAVE_FUTURE_DATA). */
export const haveFutureData = 3;
