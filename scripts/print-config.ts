import { readConfig, settings } from '#server/config.ts';
import { fail } from './fail.ts';

/** Shown as set or unset: their values are secrets. */
const secret = /(SECRET|KEY|PASSWORD|URL)$/;

try {
  const config: Record<string, unknown> = readConfig(process.env);
  console.log('Rapport reads these environment variables; all are optional.\n');
  for (const [name, schema] of Object.entries(settings.shape)) {
    const value = config[name];
    const given = process.env[name] ? ' (set)' : '';
    const shown = value === undefined ? 'unset' : secret.test(name) ? 'set' : String(value);
    console.log(`${name} = ${shown}${given}\n    ${schema.description ?? ''}`);
  }
} catch (error) {
  fail(error);
}
