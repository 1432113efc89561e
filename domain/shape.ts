type Check<T> = (value: unknown) => value is T;
type Fields<T> = { [Name in keyof T]-?: Check<T[Name]> };

/**
 * Whether a value of unknown origin is an object with these fields. For what a page loads before a
 * call: there, zod would be a thirteenth of all code. Anything that the server receives is parsed
 * by zod.
 */
export function hasShape<T extends object>(value: unknown, fields: Fields<T>): value is T {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries<Check<unknown>>(fields).every(([name, check]) =>
    check(Reflect.get(value, name)),
  );
}

export const isText: Check<string> = (value) => typeof value === 'string';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

export const isOneOf =
  <T extends string>(values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((one) => one === value);

export const isListOfTexts: Check<string[]> = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

export const isNullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);
