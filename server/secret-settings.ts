import { readFileSync } from 'node:fs';

const named = /(^|_)(SECRET|KEY|PASSWORD|TOKEN)(_PREVIOUS)?$/;
/** URLs that may contain a password. */
const withPassword = new Set(['DATABASE_URL', 'REDIS_URL', 'SMTP_URL']);
/** The name of a file, and a key that browsers receive anyway. */
const open = new Set(['TLS_KEY', 'STRIPE_PUBLISHABLE_KEY']);

/** Decided by the name, so that a new setting counts without being listed. */
export const isSecretSetting = (name: string): boolean =>
  (named.test(name) || withPassword.has(name)) && !open.has(name);

/** Shorter values would match parts of ordinary words. */
const shortestHidden = 5;

/** Returns every text that must not be logged, including the passwords within URLs. */
export function secretTexts(config: Record<string, unknown>): string[] {
  const values = Object.entries(config).flatMap(([name, value]) =>
    isSecretSetting(name) && typeof value === 'string' ? [value, ...partsOf(value)] : [],
  );
  const written = values.flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  const found = [...new Set(written)].filter((text) => text.length >= shortestHidden);
  return found.sort((a, b) => b.length - a.length);
}

function partsOf(value: string): string[] {
  const password = URL.canParse(value) ? new URL(value).password : '';
  const listed = value.includes('://') ? [] : value.split(',').map((entry) => entry.trim());
  return [...listed, ...(password ? [password, decodeURIComponent(password)] : [])];
}

/**
 * Returns the settings with the contents of `<NAME>_FILE` for each secret setting, the way Docker,
 * Kubernetes and systemd pass secrets.
 * @returns the settings, and an error message for each unusable file
 */
export function withSecretFiles(
  env: Record<string, string | undefined>,
  names: readonly string[],
): { env: Record<string, string | undefined>; problems: string[] } {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names.filter(isSecretSetting)) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) {
      problems.push(`${name} and ${name}_FILE: set one of them.`);
      continue;
    }
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch {
      problems.push(`${name}_FILE: the file ${file} cannot be read.`);
    }
  }
  return { env: { ...env, ...read }, problems };
}
