import type { Config } from '#server/config.ts';
import { safeStreamFor } from '#server/platform/safe-fetch.ts';
import { fetchModel } from '#server/providers/speech/local/fetch-model.ts';
import { readDescription, totalBytes } from '#server/providers/speech/local/model.ts';

const megabyte = 1_000_000;
/** Between two lines of progress. */
const percentStep = 10;

/**
 * Fetches the model that a file describes into the data folder, and tells what it is and how far it is.
 * @returns what to do next
 * @throws an Error that states what to do
 */
export async function fetchSpeechModel(
  { DATA_DIR, ALLOW_PRIVATE_TARGETS }: Pick<Config, 'DATA_DIR' | 'ALLOW_PRIVATE_TARGETS'>,
  path: string,
  say: (line: string) => void,
): Promise<string> {
  const model = readDescription(path);
  const { name, license, languages, files } = model;
  const bytes = totalBytes(model);
  say(
    `${name}: ${Math.ceil(bytes / megabyte)} MB, license ${license}, languages ${languages.join(', ')}`,
  );
  for (const [file, { url, sha256 }] of Object.entries(files))
    say(`  ${file}: ${url}\n    SHA-256 ${sha256}`);
  let told = '';
  await fetchModel(DATA_DIR, model, {
    stream: safeStreamFor(ALLOW_PRIVATE_TARGETS),
    progress: (_, received) => {
      const percent = Math.floor((received / bytes) * (100 / percentStep)) * percentStep;
      const line = `${percent} %`;
      if (line === told) return;
      told = line;
      say(line);
    },
  });
  return `Fetched and verified. With SPEECH_PROVIDER=local, ${name} can be used.`;
}
