import type { Blurred, BlurTrouble } from '../blur/blur-camera.ts';

/** Either the camera blurs by itself, or the page can take its frames and draw them anew. */
export const blurIsOffered = (camera: MediaStreamTrack | null): boolean =>
  blursItself(camera) ||
  ('MediaStreamTrackProcessor' in globalThis && 'MediaStreamTrackGenerator' in globalThis);

/** Where the system does it, it costs the page nothing: Media Capture Extensions, `backgroundBlur`. */
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

/** Blurs what is behind the person, over one camera at a time. What draws it is loaded when it is first wished. */
export class Background {
  #blurred: Blurred | null = null;
  #camera: MediaStreamTrack | null = null;
  #turns = 0;

  /** @returns the picture to send in the camera's place. @throws when there can be none */
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

  /** What was sent in the camera's place ends. */
  uncover(): void {
    this.#turns += 1;
    const [camera, blurred] = [this.#camera, this.#blurred];
    this.#camera = this.#blurred = null;
    blurred?.stop();
    if (camera?.readyState === 'live' && blursItself(camera)) {
      camera.applyConstraints({ ...camera.getConstraints(), ...inCamera(false) }).catch(() => {
        // A camera that does not take it back goes on blurred.
      });
    }
  }
}
