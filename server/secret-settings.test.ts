import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';
import { openLog } from './platform/log.ts';
import { isSecretSetting, secretTexts } from './secret-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapport-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = Object.keys(settings.shape);
const secretNames = names.filter(isSecretSetting);

/** A value that the setting accepts; `core` is the part that must not appear anywhere. */
function sampleOf(name: string): { value: string; core: string } {
  const core = `very-secret-${name.toLowerCase()}-0123456789"\\p`;
  const scheme = { DATABASE_URL: 'postgres', REDIS_URL: 'redis', SMTP_URL: 'smtp' }[name];
  if (!scheme) return { value: core, core };
  const value = `${scheme}://someone:${encodeURIComponent(core)}@host.example:1234/x`;
  return { value, core: encodeURIComponent(core) };
}
/** Settings that are required together. */
const together: Record<string, Record<string, string>> = {
  TURN_SECRET: { TURN_URL: 'turn:turn.example.com' },
};

test('every setting whose description mentions a secret, a password or a key counts as secret', () => {
  const speaking = Object.entries(settings.shape)
    .filter(([, { description = '' }]) => /secret|password|\bkeys?\b|signs/i.test(description))
    .map(([name]) => name);
  const files = ['TLS_KEY', 'TLS_CERT'];
  expect(speaking.filter((name) => !isSecretSetting(name) && !files.includes(name))).toEqual([]);
  expect(secretNames).toEqual(
    expect.arrayContaining(['SECRET_KEY', 'TURN_SECRET', 'DATABASE_URL', 'SMTP_URL']),
  );
});

describe.each(secretNames)('%s', (name) => {
  const { value, core } = sampleOf(name);

  test('is also read from a file, without the trailing line break', () => {
    const file = join(folder, name);
    writeFileSync(file, `${value}\n`);
    // Compares results, because the setting may require others.
    const read = readOrExplain({ [`${name}_FILE`]: file, ...together[name] });
    expect(read).toEqual(readOrExplain({ [name]: value, ...together[name] }));
    expect(() => readConfig({ [name]: value, [`${name}_FILE`]: file })).toThrow(
      `${name} and ${name}_FILE: set one of them.`,
    );
    expect(() => readConfig({ [`${name}_FILE`]: join(folder, 'missing') })).toThrow(
      new RegExp(`${name}_FILE: the file .* cannot be read`),
    );
  });

  test('never appears in the log: not as a field, in a message, in an error or in a URL', async () => {
    const file = join(folder, `${name}.log`);
    const config = { [name]: value };
    const log = openLog('info', file, secretTexts(config));
    log.info({ config, nested: { deep: { list: [value] } } }, `started with ${value}`);
    log.error({ err: new Error(`cannot reach ${value}`) }, 'failed');
    log.warn({ url: `https://x.example/?key=${encodeURIComponent(core)}`, core });
    const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await expect.poll(() => read().split('\n').length).toBe(4);
    const written = read();
    expect(written).toContain('[redacted]');
    for (const form of [value, core, JSON.stringify(core).slice(1, -1), encodeURIComponent(core)])
      expect(written).not.toContain(form);
  });
});

function readOrExplain(env: Record<string, string>): unknown {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
