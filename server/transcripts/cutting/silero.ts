import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type SpeechDetector, windowSamples } from './phrase-cutter.ts';

const model = fileURLToPath(new URL('./model/silero_vad_v5.onnx', import.meta.url));

/** The part of sherpa-onnx-node that is used. It has no types of its own. */
interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad;
}
interface SherpaVad {
  acceptWaveform(samples: Float32Array): void;
  isDetected(): boolean;
  clear(): void;
  reset(): void;
}

// As short as its own phrases may be: it then says of each window whether it is speech, and the cutter decides.
const shortest = { minSpeechDuration: 0.032, minSilenceDuration: 0.064, maxSpeechDuration: 60 };
const config = {
  sileroVad: { model, threshold: 0.5, windowSize: windowSamples, ...shortest },
  sampleRate: 16_000,
  numThreads: 1,
  provider: 'cpu',
  debug: false,
};
/** Of the phrases that it collects, and that nothing here reads. */
const bufferSeconds = 65;

/**
 * Returns what opens a Silero detector for each stream, or null on a platform without sherpa-onnx-node, an
 * optional dependency.
 */
export function loadSilero(): (() => SpeechDetector) | null {
  try {
    const sherpa: Sherpa = createRequire(import.meta.url)('sherpa-onnx-node');
    const open = () => new Silero(new sherpa.Vad(config, bufferSeconds));
    open();
    return open;
  } catch {
    return null;
  }
}

class Silero implements SpeechDetector {
  readonly #vad: SherpaVad;

  constructor(vad: SherpaVad) {
    this.#vad = vad;
  }

  isSpeech(window: Float32Array): boolean {
    this.#vad.acceptWaveform(window);
    const isSpeech = this.#vad.isDetected();
    this.#vad.clear();
    return isSpeech;
  }

  reset(): void {
    this.#vad.reset();
  }
}
