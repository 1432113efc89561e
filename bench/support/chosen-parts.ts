/**
 * Returns the parts of a benchmark that BENCH_PARTS names, separated by commas, in the order of `parts`; all of them
 * without it.
 * @throws if it names another
 */
export function chosenParts<const Part extends string>(parts: readonly Part[]): Part[] {
  const named = process.env.BENCH_PARTS?.split(',').map((name) => name.trim());
  if (!named) return [...parts];
  const unknown = named.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) {
    throw new Error(`There is no part ${unknown.join(', ')}. Choose from: ${parts.join(', ')}`);
  }
  return parts.filter((part) => named.includes(part));
}
