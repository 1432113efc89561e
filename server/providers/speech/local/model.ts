import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The files of each kind of model that sherpa-onnx runs, by its own names. */
const filesOf = {
  moonshine: ['preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder', 'tokens'],
  transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
  whisper: ['encoder', 'decoder', 'tokens'],
} as const;
type Kind = keyof typeof filesOf;

/** Where a file of a model comes from, and what it must contain. */
const modelFile = z.object({
  url: z.url({ protocol: /^https?$/ }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'give the SHA-256 in hexadecimal'),
  sizeBytes: z
    .int()
    .min(1)
    .max(4 * 1024 ** 3),
});
export type ModelFile = z.infer<typeof modelFile>;

/** Also the name of its folder. */
export const modelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'use lower case, digits, dots, and hyphens');

/** A model as the operator describes it (docs/operating.md). */
export const speechModel = z
  .object({
    name: modelName,
    kind: z.enum(Object.keys(filesOf) as [Kind, ...Kind[]]),
    license: z.string().min(1).max(100),
    languages: z.array(z.string().min(2).max(35)).min(1).max(200),
    files: z.record(z.string(), modelFile),
  })
  .refine(
    ({ kind, files }) =>
      Object.keys(files).toSorted().join() === [...filesOf[kind]].toSorted().join(),
    { error: 'its files must be exactly those of its kind', path: ['files'] },
  );
export type SpeechModel = z.infer<typeof speechModel>;

export const modelFolder = (dataDir: string, name: string) =>
  join(resolve(dataDir), 'speech-models', name);
export const descriptionFile = 'model.json';

/** Returns a model that was fetched completely; null without it. */
export function fetchedModel(dataDir: string, name: string): SpeechModel | null {
  try {
    const text = readFileSync(join(modelFolder(dataDir, name), descriptionFile), 'utf8');
    return speechModel.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns sherpa-onnx's configuration of a model whose files are in the folder. */
export function recognizerConfig({ kind, files }: SpeechModel, folder: string) {
  const { tokens = '', ...models } = Object.fromEntries(
    Object.keys(files).map((name) => [name, join(folder, name)]),
  );
  const isTransducer = kind === 'transducer';
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      [kind]: kind === 'whisper' ? { ...models, language: '', task: 'transcribe' } : models,
      tokens,
      numThreads: 2,
      provider: 'cpu',
      debug: 0,
      ...(isTransducer ? { modelType: 'nemo_transducer' } : {}),
    },
  };
}
