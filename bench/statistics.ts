/** Returns the value below which `share` of the values lie (nearest rank). @throws if there are none */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  const found = sorted[rank];
  if (found === undefined) throw new Error('There is nothing to take a quantile of.');
  return found;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the middle half of the values, for the note beside a median. */
export function spread(values: readonly number[]): string {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return `middle half ${low.toPrecision(3)}–${high.toPrecision(3)}, n=${values.length}`;
}
