/** Returns the query of an address with these values; empty ones are left out. */
export function withValues(
  before: URLSearchParams,
  values: Partial<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}
