import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { speechModelName } from '#domain/speech-models/contract.ts';

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

/** A model as the operator describes it (docs/operating.md). */
export const speechModel = z
  .object({
    name: speechModelName,
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

export const totalBytes = ({ files }: SpeechModel): number =>
  Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const modelsFolder = (dataDir: string) => join(resolve(dataDir), 'speech-models');
export const modelFolder = (dataDir: string, name: string) => join(modelsFolder(dataDir), name);
/** In the folder of a model whose files are complete and verified. */
export const descriptionFile = 'model.json';

interface Described {
  /** In the order of the descriptions' file names, then those that only the command line has fetched. */
  models: SpeechModel[];
  /** A sentence for each file that describes no model. */
  wrong: string[];
}

/**
 * Returns the models that the operator has described in `DATA_DIR/speech-models`.
 * @param only the name of the only one that may be used
 */
export function describedModels(dataDir: string, only?: string): Described {
  const folder = modelsFolder(dataDir);
  const described = new Map<string, SpeechModel>();
  const wrong: string[] = [];
  const entries = entriesOf(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries.filter(({ name }) => name.endsWith('.json'))) {
    const path = join(folder, entry.name);
    try {
      const model = readDescription(path);
      if (!described.has(model.name)) described.set(model.name, model);
    } catch (error) {
      wrong.push(error instanceof Error ? error.message : String(error));
    }
  }
  for (const entry of entries.filter((one) => one.isDirectory() && !described.has(one.name))) {
    const model = verifiedModel(dataDir, entry.name);
    if (model) described.set(model.name, model);
  }
  const models = [...described.values()].filter(({ name }) => only === undefined || name === only);
  return { models, wrong };
}

/** @throws an Error that states what is wrong */
export function readDescription(path: string): SpeechModel {
  const parsed = speechModel.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} describes no model:\n${z.prettifyError(parsed.error)}`);
}

/** Whether this server has the files of a model as they are described now. */
export function isFetched(dataDir: string, model: SpeechModel): boolean {
  const verified = verifiedModel(dataDir, model.name);
  return verified !== null && contentOf(verified) === contentOf(model);
}

/** When this server had fetched and verified the files of a model as they are described now, in ms; null without them. */
export function fetchedAt(dataDir: string, model: SpeechModel): number | null {
  if (!isFetched(dataDir, model)) return null;
  const path = join(modelFolder(dataDir, model.name), descriptionFile);
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

const contentOf = ({ kind, files }: SpeechModel): string =>
  [
    kind,
    ...Object.keys(files)
      .toSorted()
      .map((name) => `${name} ${files[name]?.sha256}`),
  ].join();

/** Returns a model whose files are complete and verified; null without it. */
export function verifiedModel(dataDir: string, name: string): SpeechModel | null {
  try {
    return readDescription(join(modelFolder(dataDir, name), descriptionFile));
  } catch {
    return null;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
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
