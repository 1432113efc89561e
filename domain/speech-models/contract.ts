import { z } from 'zod';
import { contract } from '#domain/contract.ts';

/** Of a model on the server; also the name of its folder. */
export const speechModelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'use lower case, digits, dots, and hyphens');

/**
 * `checksum`, `size`: a file has other content than its description says. `refused`: its server, or this one,
 * does not allow the download. `disk`: less than 1 GB would be left. `storage`: the folder cannot be written.
 * `unreachable`: the download was interrupted too often.
 */
export const fetchFailures = [
  'checksum',
  'size',
  'refused',
  'disk',
  'storage',
  'unreachable',
] as const;
export type FetchFailure = (typeof fetchFailures)[number];

const receivedBytes = z.int();

/** Of the files of a model on the server. `interrupted`: the download goes on automatically. */
const modelState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('fetching'), receivedBytes }),
  z.object({ kind: z.literal('verifying'), receivedBytes }),
  z.object({ kind: z.literal('interrupted'), receivedBytes }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), reason: z.enum(fetchFailures) }),
]);
export type SpeechModelState = z.infer<typeof modelState>;

const offeredModel = z.object({
  name: z.string(),
  license: z.string(),
  /** As the operator wrote them, mostly BCP 47. */
  languages: z.array(z.string()),
  /** Of all files together. */
  sizeBytes: z.int(),
  files: z.array(
    z.object({
      name: z.string(),
      /** Where it is fetched from. */
      host: z.string(),
      sizeBytes: z.int(),
      sha256: z.string(),
    }),
  ),
  state: modelState,
  /** Whether calls are transcribed with it. */
  isUsed: z.boolean(),
});
export type OfferedSpeechModel = z.infer<typeof offeredModel>;

const offeredModels = z.object({
  /** In the operator's order: the first that is ready is used. */
  models: z.array(offeredModel),
});
export type OfferedSpeechModels = z.infer<typeof offeredModels>;

const params = z.object({ name: speechModelName });

export const listSpeechModels = contract({
  method: 'GET',
  path: '/api/speech-models',
  summary: 'The speech-to-text models that the operator offers for this server',
  permission: 'privacy.manage',
  output: { 200: offeredModels },
});

export const fetchSpeechModel = contract({
  method: 'PUT',
  path: '/api/speech-models/:name',
  summary: 'Have the server fetch a model; one that is there, or being fetched, stays as it is',
  permission: 'privacy.manage',
  needsVerifiedAddress: true,
  params,
  output: { 200: offeredModels },
  errors: [404, 429],
});

export const removeSpeechModel = contract({
  method: 'DELETE',
  path: '/api/speech-models/:name',
  summary:
    'Delete a fetched model from the server, unless another organization transcribes with it',
  permission: 'privacy.manage',
  needsVerifiedAddress: true,
  params,
  output: { 200: offeredModels },
  errors: [404, 409],
});
