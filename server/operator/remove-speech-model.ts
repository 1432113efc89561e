import { speechModelName } from '#domain/speech-models/contract.ts';
import type { Database } from '#server/platform/database.ts';
import { markRemoved } from '#server/speech-models/store.ts';

/**
 * Has every server delete the files of a model, also while it is fetched or used.
 * @returns what was done, as a sentence
 * @throws an Error that states what to do
 */
export async function removeSpeechModel(database: Database, given: string): Promise<string> {
  const name = speechModelName.safeParse(given);
  if (!name.success) throw new Error(`${given} is no name of a model.`);
  await database.connection('outside', (at) => markRemoved(at, name.data));
  return `${name.data} is removed from each server within seconds, or when it starts.`;
}
