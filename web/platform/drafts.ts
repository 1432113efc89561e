import { z } from 'zod';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

/**
 * Unsent input of a form, in this tab's storage: it survives a reload, and signing in again after
 * the session has expired. Each account has its own.
 */
const prefix = 'rapport:draft:';
const fields = z.record(z.string(), z.unknown());

export class Draft {
  readonly #stored: StoredValue<Record<string, unknown>>;

  constructor(accountId: string, form: string) {
    const storage = openStorage(() => sessionStorage);
    this.#stored = new StoredValue(storage, `${prefix}${accountId}:${form}`, fields);
  }

  /** Returns `empty` with the stored values in its fields; null if nothing usable was stored. */
  read<Values extends object>(empty: Values): Values | null {
    const kept = this.#stored.read();
    if (kept === null) return null;
    const fields = Object.entries(empty).map(([name, value]) => {
      const found = kept[name];
      return [name, isLike(found, value) ? found : value];
    });
    return { ...empty, ...Object.fromEntries(fields) };
  }

  keep(values: object): void {
    this.#stored.write(withoutSecrets(values));
  }

  forget(): void {
    this.#stored.remove();
  }
}

/** Called on logout: the next person at this computer finds no drafts. */
export function forgetDrafts(): void {
  const storage = openStorage(() => sessionStorage);
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}

/** The next person at this computer must not find a password: secrets must be typed again. */
function withoutSecrets(values: object): Record<string, unknown> {
  const isSecret = (name: string) => /secret|password/i.test(name);
  return JSON.parse(JSON.stringify(values, (name, value) => (isSecret(name) ? undefined : value)));
}

/** A draft of an earlier version of the page may have other fields. */
const isLike = (found: unknown, field: unknown) =>
  found !== undefined &&
  (field === null || found === null || typeof found === typeof field) &&
  Array.isArray(found) === Array.isArray(field);
