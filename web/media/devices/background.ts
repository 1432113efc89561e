import type { Blurred, BlurTrouble } from '../blur/blur-camera.ts';

/** Whether blur is available: the camera blurs, or the page can process its frames. */
export const blurIsOffered = (camera: MediaStreamTrack | null): boolean =>
  blursItself(camera) ||
  ('MediaStreamTrackProcessor' in globalThis && 'MediaStreamTrackGenerator' in globalThis);

/** Blur by the system costs the page nothing: Media Capture Extensions, `backgroundBlur`. */
function blursItself(camera: MediaStreamTrack | null): boolean {
  const able: object = camera?.getCapabilities?.() ?? {};
  if (!('backgroundBlur' in able) || !Array.isArray(able.backgroundBlur)) return false;
  return able.backgroundBlur.includes(true) && able.backgroundBlur.includes(false);
}

const inCamera = (
  backgroundBlur: boolean,
): MediaTrackConstraints & { backgroundBlur: boolean } => ({
  backgroundBlur,
});

/** Blurs the background of one camera at a time. The drawing code is loaded on first use. */
export class Background {
  #blurred: Blurred | null = null;
  #camera: MediaStreamTrack | null = null;
  #turns = 0;

  /** @returns the track to send in place of the camera's. @throws if there is none */
  async cover(
    camera: MediaStreamTrack,
    onTrouble: (trouble: BlurTrouble) => void,
  ): Promise<MediaStreamTrack> {
    this.uncover();
    this.#camera = camera;
    const turn = ++this.#turns;
    if (blursItself(camera)) {
      await camera.applyConstraints({ ...camera.getConstraints(), ...inCamera(true) });
      return camera;
    }
    const { blurCamera } = await import('../blur/blur-camera.ts');
    const blurred = await blurCamera(camera, (trouble) => {
      if (turn === this.#turns) onTrouble(trouble);
    });
    if (turn !== this.#turns) {
      blurred.stop();
      throw new DOMException('not wished any longer', 'AbortError');
    }
    this.#blurred = blurred;
    return blurred.track;
  }

  /** Ends the track that was sent in place of the camera's. */
  uncover(): void {
    this.#turns += 1;
    const [camera, blurred] = [this.#camera, this.#blurred];
    this.#camera = this.#blurred = null;
    blurred?.stop();
    if (camera?.readyState === 'live' && blursItself(camera)) {
      camera.applyConstraints({ ...camera.getConstraints(), ...inCamera(false) }).catch(() => {
        // A camera that rejects the change stays blurred.
      });
    }
  }
}
