import workerAddress from './blur-worker.ts?worker&url';
import type { BlurNews, BlurOrder } from './worker-messages.ts';

export type BlurTrouble = 'slow' | 'failed';
export type Blurred = { track: MediaStreamTrack; stop: () => void };

/** The only URL that Trusted Types allow this page to load as a script: the worker's. */
const policy =
  typeof trustedTypes === 'undefined'
    ? undefined
    : trustedTypes.createPolicy('rapport-blur', { createScriptURL: () => workerAddress });

/**
 * Returns the camera's video with the background blurred; resolves when the first frame is drawn.
 * The caller must stop it: it does not end with the camera.
 * @param onTrouble called later if it cannot keep up or fails
 * @throws if it cannot start
 */
export function blurCamera(
  camera: MediaStreamTrack,
  onTrouble: (trouble: BlurTrouble) => void,
): Promise<Blurred> {
  const { promise, resolve, reject } = Promise.withResolvers<Blurred>();
  const worker = new Worker(policy?.createScriptURL(workerAddress) ?? workerAddress, {
    type: 'module',
  });
  const track = new MediaStreamTrackGenerator({ kind: 'video' });
  const stop = () => {
    worker.terminate();
    track.stop();
  };
  let begun = false;
  const fail = (reason: string) => {
    if (begun) return onTrouble('failed');
    stop();
    reject(new Error(reason));
  };
  worker.addEventListener('error', ({ message }) => fail(message));
  worker.addEventListener('message', ({ data }: MessageEvent<BlurNews>) => {
    if (data.type === 'failed') return fail(data.reason);
    if (data.type === 'slow') return onTrouble('slow');
    begun = true;
    resolve({ track, stop });
  });
  // Buffers one frame at most: a frame that is outdated when its turn comes is dropped.
  const { readable: frames } = new MediaStreamTrackProcessor({ track: camera, maxBufferSize: 1 });
  const order: BlurOrder = { frames, drawn: track.writable };
  worker.postMessage(order, [order.frames, order.drawn]);
  return promise;
}
