import { createRequire } from 'node:module';
import type { FromRecognizer, ToRecognizer } from './messages.ts';

/** The part of sherpa-onnx-node that is used. It has no types of its own. */
interface Sherpa {
  OfflineRecognizer: new (
    config: object,
  ) => {
    createStream(): SherpaStream;
    decode(stream: SherpaStream): void;
    getResult(stream: SherpaStream): { text: string; lang?: string };
  };
}
interface SherpaStream {
  acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
}

/** The process that runs a local model: its memory, and a defect of the native library, stay outside the server. */
const say = (message: FromRecognizer) => process.send?.(message);

const config: object = JSON.parse(process.argv[2] ?? '{}');
const sherpa: Sherpa = createRequire(import.meta.url)('sherpa-onnx-node');
const recognizer = new sherpa.OfflineRecognizer(config);
say({ kind: 'ready' });

process.on('message', ({ id, samples }: ToRecognizer) => {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ sampleRate: 16_000, samples });
  recognizer.decode(stream);
  const { text, lang } = recognizer.getResult(stream);
  // Whisper says `<|en|>`.
  const language = lang?.replaceAll(/[<|>]/g, '') || null;
  say({ kind: 'recognized', id, text: text.trim(), language });
});
// The server has ended.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
