import { readConfig, settings } from '#server/config.ts';
import { isSecretSetting } from '#server/secret-settings.ts';
import { fail } from './fail.ts';

/** Shown only as set or unset: secrets, and addresses that may contain a password. */
const isHidden = (name: string) => isSecretSetting(name) || /(KEY|URL)$/.test(name);

try {
  const config: Record<string, unknown> = readConfig(process.env);
  console.log('Rapport reads these environment variables; all are optional.');
  console.log('Each secret one may come from a file: SECRET_KEY_FILE=/run/secrets/key, say.\n');
  for (const [name, schema] of Object.entries(settings.shape)) {
    const value = config[name];
    const file = isSecretSetting(name) && process.env[`${name}_FILE`];
    const given = file ? ` (from ${file})` : process.env[name] ? ' (set)' : '';
    const shown = value === undefined ? 'unset' : isHidden(name) ? 'set' : String(value);
    console.log(`${name} = ${shown}${given}\n    ${schema.description ?? ''}`);
  }
} catch (error) {
  fail(error);
}
