/** Chromium only, and not in TypeScript's library: https://w3c.github.io/mediacapture-transform */
declare class MediaStreamTrackProcessor {
  constructor(init: { track: MediaStreamTrack; maxBufferSize?: number });
  readonly readable: ReadableStream<VideoFrame>;
}

interface MediaStreamTrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
declare const MediaStreamTrackGenerator: new (init: { kind: 'video' }) => MediaStreamTrackGenerator;

/** https://w3c.github.io/trusted-types: the result of a policy is accepted where a URL is expected. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { createScriptURL: (address: string) => string },
      ): { createScriptURL: (address: string) => URL };
    }
  | undefined;

declare module '@twilio/video-processors/dist/build/tflite-simd-1-0-0.js' {
  /** TensorFlow Lite as WebAssembly. Offsets are bytes in its memory. */
  export type TensorFlowLite = {
    readonly HEAPU8: Uint8Array;
    readonly HEAPF32: Float32Array;
    _getModelBufferMemoryOffset(): number;
    _loadModel(bytes: number): number;
    _getInputMemoryOffset(): number;
    _getInputWidth(): number;
    _getInputHeight(): number;
    _getOutputMemoryOffset(): number;
    _runInference(): number;
  };
  export default function load(settings: {
    locateFile: (name: string) => string;
  }): Promise<TensorFlowLite>;
}
