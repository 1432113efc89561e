import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '#server/config.ts';
import { fetchModel } from '#server/providers/speech/local/fetch-model.ts';
import { type SpeechModel, speechModel } from '#server/providers/speech/local/model.ts';

const megabyte = 1_000_000;
/** Of a file, between two lines of progress. */
const percentStep = 10;

/**
 * Fetches the model that a file describes into the data folder, and tells what it is and how far it is.
 * @returns what to do next
 * @throws an Error that states what to do
 */
export async function fetchSpeechModel(
  config: Pick<Config, 'DATA_DIR'>,
  path: string,
  say: (line: string) => void,
): Promise<string> {
  const model = describedIn(path);
  const { name, license, languages, files } = model;
  const bytes = Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  say(
    `${name}: ${Math.ceil(bytes / megabyte)} MB, license ${license}, languages ${languages.join(', ')}`,
  );
  for (const [file, { url, sha256 }] of Object.entries(files))
    say(`  ${file}: ${url}\n    SHA-256 ${sha256}`);
  let told = '';
  await fetchModel(config.DATA_DIR, model, (file, received, size) => {
    const percent = Math.floor((received / size) * (100 / percentStep)) * percentStep;
    const line = `${file}: ${percent} %`;
    if (line === told) return;
    told = line;
    say(line);
  });
  return `Fetched and verified. Now set SPEECH_PROVIDER=local and SPEECH_MODEL=${name}, and start Rapport again.`;
}

function describedIn(path: string): SpeechModel {
  const parsed = speechModel.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} describes no model:\n${z.prettifyError(parsed.error)}`);
}
