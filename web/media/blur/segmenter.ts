import model from '@twilio/video-processors/dist/build/selfie_segmentation_landscape.tflite?url';
import load, {
  type TensorFlowLite,
} from '@twilio/video-processors/dist/build/tflite-simd-1-0-0.js';
import program from '@twilio/video-processors/dist/build/tflite-simd-1-0-0.wasm?url';

/** Share of the new mask in each frame: less flicker, and hardly a trail behind a moving hand. */
const takenOver = 0.6;
/**
 * The model is unsure in a wide seam around a person: a value below the first is background, above
 * the second person.
 */
const seam = [0.45, 0.85] as const;

/**
 * Finds the person in a frame: MediaPipe's selfie segmentation model (Apache-2.0), run by
 * TensorFlow Lite. Both come from an npm package and are served by this server.
 */
export class Segmenter {
  readonly width: number;
  readonly height: number;
  readonly #lite: TensorFlowLite;
  readonly #input: Float32Array;
  readonly #output: Float32Array;
  readonly #mask: Float32Array;

  static async load(): Promise<Segmenter> {
    const [lite, response] = await Promise.all([load({ locateFile: () => program }), fetch(model)]);
    if (!response.ok) throw new Error(`the model answers ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    lite.HEAPU8.set(bytes, lite._getModelBufferMemoryOffset());
    lite._loadModel(bytes.byteLength);
    return new Segmenter(lite);
  }

  private constructor(lite: TensorFlowLite) {
    this.#lite = lite;
    this.width = lite._getInputWidth();
    this.height = lite._getInputHeight();
    const pixels = this.width * this.height;
    const part = (offset: number, length: number) =>
      lite.HEAPF32.subarray(offset / 4, offset / 4 + length);
    this.#input = part(lite._getInputMemoryOffset(), pixels * 3);
    this.#output = part(lite._getOutputMemoryOffset(), pixels);
    this.#mask = new Float32Array(pixels);
  }

  /** Writes into each pixel's alpha channel how likely it belongs to the person. */
  cutOut({ data }: ImageData): void {
    const [input, output, mask] = [this.#input, this.#output, this.#mask];
    for (let at = 0; at < mask.length; at += 1) {
      input[at * 3] = (data[at * 4] ?? 0) / 255;
      input[at * 3 + 1] = (data[at * 4 + 1] ?? 0) / 255;
      input[at * 3 + 2] = (data[at * 4 + 2] ?? 0) / 255;
    }
    this.#lite._runInference();
    for (let at = 0; at < mask.length; at += 1) {
      const before = mask[at] ?? 0;
      const now = before + ((output[at] ?? 0) - before) * takenOver;
      mask[at] = now;
      data[at * 4 + 3] = ((now - seam[0]) / (seam[1] - seam[0])) * 255;
    }
  }
}
