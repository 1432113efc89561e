/**
 * What was typed into a form and not sent yet, in this tab's storage: it outlives a reload, and
 * signing in again after the session has expired. Each account has its own.
 */
const prefix = 'rapport:draft:';

export class Draft {
  readonly #key: string;

  constructor(accountId: string, form: string) {
    this.#key = `${prefix}${accountId}:${form}`;
  }

  /** `empty` with what was kept in its fields; null where nothing of use was kept. */
  read<Values extends object>(empty: Values): Values | null {
    const kept = parsed(sessionStorage.getItem(this.#key));
    if (kept === null) return null;
    const fields = Object.entries(empty).map(([name, value]) => {
      const found = kept.get(name);
      return [name, isLike(found, value) ? found : value];
    });
    return { ...empty, ...Object.fromEntries(fields) };
  }

  keep(values: object): void {
    try {
      // Secrets are typed anew.
      const isSecret = (name: string) => /secret|password/i.test(name);
      const kept = JSON.stringify(values, (name, value) => (isSecret(name) ? undefined : value));
      sessionStorage.setItem(this.#key, kept);
    } catch {
      // The storage is full or refused: the form itself still has what was typed.
    }
  }

  forget(): void {
    sessionStorage.removeItem(this.#key);
  }
}

/** For who logs out: the next person at this computer finds nothing. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

function parsed(text: string | null): Map<string, unknown> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

/** A draft of an earlier version of the page may have other fields. */
const isLike = (found: unknown, field: unknown) =>
  found !== undefined &&
  (field === null || found === null || typeof found === typeof field) &&
  Array.isArray(found) === Array.isArray(field);
