/**
 * Returns whole percentages of the sum of `counts` that add up to 100: the largest remainders are
 * rounded up. All are 0 if the sum is 0.
 */
export function percentsOf(counts: readonly number[]): number[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (100 * count) / sum);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((total, percent) => total + percent, 0);
  const byRemainder = exact
    .map((percent, at) => ({ at, remainder: percent % 1 }))
    .sort((a, b) => b.remainder - a.remainder)
    .slice(0, missing);
  for (const { at } of byRemainder) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}
