export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a member by its name in any case (RFC 7643, 2.1). */
export function member(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** Returns the object without such a member. */
export const withoutMember = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
  );

/** Null and empty lists are equivalent to absent values (RFC 7643, 2.5). */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Returns whether two JSON values are equal, in any order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, at) => sameJson(each, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
    );
  }
  return a === b;
}

const deepest = 30;
const most = 500_000;

/**
 * Returns why this body is refused: nested too deeply, or a text that no database can store (NUL, a
 * lone surrogate). Null when it is valid. Iterative, because the sender chooses the depth.
 */
export function flawOf(body: unknown): string | null {
  if (typeof body === 'string' && isBroken(body)) return broken;
  const rest: { value: object; depth: number }[] = [];
  let seen = 0;
  const add = (value: unknown, depth: number) => {
    seen += 1;
    if (typeof value === 'object' && value !== null) rest.push({ value, depth });
  };
  add(body, 0);
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    const isList = Array.isArray(value);
    if (!isList && Object.keys(value).some(isBroken)) return broken;
    for (const inner of isList ? value : Object.values(value)) {
      if (depth === deepest || seen > most) return tooMuch;
      if (typeof inner === 'string' && isBroken(inner)) return broken;
      add(inner, depth + 1);
    }
  }
  return null;
}

const tooMuch = 'This is nested too deeply, or too long.';

const broken = 'A text holds a NUL character or half a surrogate pair.';
export const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();
