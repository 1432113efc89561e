import workerAddress from './blur-worker.ts?worker&url';
import type { BlurNews, BlurOrder } from './worker-messages.ts';

export type BlurTrouble = 'slow' | 'failed';
export type Blurred = { track: MediaStreamTrack; stop: () => void };

/** The one address that this page may start as a program (Trusted Types): our worker's. */
const policy =
  typeof trustedTypes === 'undefined'
    ? undefined
    : trustedTypes.createPolicy('rapport-blur', { createScriptURL: () => workerAddress });

/**
 * The camera's picture with what is behind the person blurred; resolves when the first picture is
 * there. Without a camera's end it goes on until it is stopped.
 * @param onTrouble afterwards: it cannot keep up, or it broke
 * @throws when it cannot begin
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
  // One frame waits at most: what is too old when its turn comes is left out.
  const { readable: frames } = new MediaStreamTrackProcessor({ track: camera, maxBufferSize: 1 });
  const order: BlurOrder = { frames, drawn: track.writable };
  worker.postMessage(order, [order.frames, order.drawn]);
  return promise;
}
