import type { OfferedSpeechModel, SpeechModelState } from '#domain/speech-models/contract.ts';
import type { Connection } from '#server/platform/database.ts';
import { isFetched, type SpeechModel, totalBytes } from '#server/providers/speech/local/model.ts';
import type { Services } from '#server/services.ts';
import { offeredModels } from './offered-models.ts';
import { type FetchRow, fetchRows } from './store.ts';

/** Returns the operator's models, with the state of each on this server. */
export async function readModels(
  at: Pick<Connection, 'run'>,
  { config, speech }: Pick<Services, 'config' | 'speech'>,
): Promise<OfferedSpeechModel[]> {
  const rows = await fetchRows(at);
  const used = speech.current()?.recognizer;
  return offeredModels(config).map((model) => {
    const row = rows.find(({ name }) => name === model.name);
    const isHere = isFetched(config.DATA_DIR, model);
    return {
      name: model.name,
      license: model.license,
      languages: model.languages,
      sizeBytes: totalBytes(model),
      files: filesOf(model),
      state: isHere ? { kind: 'ready' } : stateOf(row),
      isUsed: used === `local/${model.name}`,
    };
  });
}

const filesOf = ({ files }: SpeechModel) =>
  Object.entries(files).map(([name, { url, sizeBytes, sha256 }]) => ({
    name,
    host: new URL(url).host,
    sizeBytes,
    sha256,
  }));

function stateOf(row: FetchRow | undefined): SpeechModelState {
  if (!row || row.removedAt) return { kind: 'absent' };
  const { state, receivedBytes, failure, isLost } = row;
  if (isLost) return { kind: 'interrupted', receivedBytes };
  switch (state) {
    case 'fetching':
    case 'verifying':
    case 'interrupted':
      return { kind: state, receivedBytes };
    case 'failed':
      return { kind: 'failed', reason: failure ?? 'unreachable' };
    default:
      // Another server has it, and this one fetches it next.
      return { kind: 'waiting' };
  }
}
