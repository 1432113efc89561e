import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { replaceKeptSecret } from '#server/platform/secrets.ts';

/** Replaces the secret key in the data folder. @throws an Error that states what to do */
export function makeNewKey(config: Config): string {
  const dataDir = resolve(config.DATA_DIR);
  if (config.SECRET_KEY) {
    throw new Error(
      'SECRET_KEY is set, so the key is yours to change: move its value to SECRET_KEY_PREVIOUS, give SECRET_KEY another, start Rapport again, and run rotate.',
    );
  }
  if (!existsSync(join(dataDir, 'secret-key'))) {
    throw new Error(`There is no secret key in ${dataDir} yet. Start Rapport once.`);
  }
  replaceKeptSecret(dataDir);
  return 'There is another secret key; the former one stays readable in secret-key.previous. Start Rapport again, then run: npm run admin -- rotate';
}
