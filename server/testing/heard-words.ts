const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('-', ' ')
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .split(/\s+/)
    .filter(Boolean);

/** The best way to a pair of words: its errors, the first spoken word that counts, and the words that were found. */
type Cell = readonly [errors: number, from: number, found: number];

/**
 * Compares what was heard of someone with the phrases that they say again and again. What was said before the first
 * word that was heard, and after the last one, counts on neither side.
 * @returns the share of the spoken words that was heard, and how many times over the phrases were said
 */
export function heardOf(
  phrases: readonly string[],
  heard: string,
): { share: number; rounds: number } {
  const script = wordsOf(phrases.join(' '));
  const words = wordsOf(heard);
  const spoken = Array.from(
    { length: Math.ceil(words.length / script.length) + 2 },
    () => script,
  ).flat();
  let row: Cell[] = Array.from({ length: spoken.length + 1 }, (_, at) => [0, at, 0]);
  for (const [index, word] of words.entries()) {
    const next: Cell[] = [[index + 1, 0, 0]];
    for (let at = 1; at <= spoken.length; at += 1) {
      const [across = [0, 0, 0], added = [0, 0, 0], missed = [0, 0, 0]] = [
        row[at - 1],
        row[at],
        next[at - 1],
      ];
      const isFound = spoken[at - 1] === word;
      const ways: Cell[] = [
        [across[0] + (isFound ? 0 : 1), across[1], across[2] + (isFound ? 1 : 0)],
        [added[0] + 1, added[1], added[2]],
        [missed[0] + 1, missed[1], missed[2]],
      ];
      next.push(ways.reduce((best, way) => (way[0] < best[0] ? way : best)));
    }
    row = next;
  }
  const ends = row.map(([errors, from, found], to) => ({ errors, said: to - from, found }));
  const { said, found } = ends.reduce((best, end) => (end.errors < best.errors ? end : best));
  return { share: said === 0 ? 0 : found / said, rounds: said / script.length };
}
