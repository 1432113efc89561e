/** What was said in a recorded file, in milliseconds on the call's clock. */
export interface HeardPhrase {
  startMs: number;
  endMs: number;
}

/** The clocks of the live stream and of the recorded file differ by the delays of a network at most. */
const mostDifferenceMs = 5_000;
/** Lines of one stream differ by the same, but for the drift of two clocks. */
const sameDifferenceMs = 250;
/** Both were cut at the same pauses, but a line has up to a second of silence at its ends. */
const sameLengthMs = 1000;
/** How far a line's ends may lie outside of what it shares with the file. */
const marginMs = 400;
/** Phrases without a pause are cut after 15 seconds. */
const longestPhraseMs = 16_000;
/** Lines before and after, whose difference speaks for that of a line. */
const neighbors = 6;

/** The place in a recorded file for each line, by its index; lines that the file has no phrase for are left out. */
export interface Alignment {
  times: ReadonlyMap<number, HeardPhrase>;
  /** The indices of phrases that no line has. */
  missing: readonly number[];
}

/**
 * Finds for each line of a person, as it was timed during the call, the phrase of their recorded file.
 * Both are in the order in which they were said.
 */
export function align(lines: readonly HeardPhrase[], phrases: readonly HeardPhrase[]): Alignment {
  const likely = lines.map((line) => differencesOf(line, phrases));
  const times = new Map<number, HeardPhrase>();
  const taken = new Set<number>();
  lines.forEach((line, index) => {
    const around = likely.slice(Math.max(0, index - neighbors), index + neighbors + 1).flat();
    const difference = mostFrequent(around, likely[index] ?? []);
    if (difference === null) return;
    const moved = { startMs: line.startMs + difference, endMs: line.endMs + difference };
    const shared = between(phrases, moved.startMs - longestPhraseMs, moved.endMs).filter((at) =>
      isSame(moved, phrases[at]),
    );
    const first = phrases[shared[0] ?? -1];
    const last = phrases[shared.at(-1) ?? -1];
    if (!first || !last) return;
    for (const at of shared) taken.add(at);
    // A phrase may have become two lines, and a line may have become two phrases.
    const startMs = Math.max(first.startMs, moved.startMs - marginMs);
    const endMs = Math.min(last.endMs, moved.endMs + marginMs);
    times.set(index, { startMs, endMs: Math.max(startMs, endMs) });
  });
  return { times, missing: phrases.flatMap((_, at) => (taken.has(at) ? [] : [at])) };
}

/** How much later the phrases began that a line may be. */
function differencesOf(line: HeardPhrase, phrases: readonly HeardPhrase[]): number[] {
  const { startMs } = line;
  return between(phrases, startMs - mostDifferenceMs, startMs + mostDifferenceMs).flatMap((at) => {
    const phrase = phrases[at];
    const isLike = phrase && Math.abs(lengthOf(phrase) - lengthOf(line)) <= sameLengthMs;
    return isLike ? [phrase.startMs - startMs] : [];
  });
}

/** Returns the indices of the phrases that begin within this time. A long call has thousands. */
function between(phrases: readonly HeardPhrase[], fromMs: number, toMs: number): number[] {
  let [low, high] = [0, phrases.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((phrases[middle]?.startMs ?? 0) < fromMs) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; (phrases[at]?.startMs ?? Number.POSITIVE_INFINITY) <= toMs; at += 1)
    found.push(at);
  return found;
}

/**
 * Returns the difference that most lines around a line agree on: one of its own, where another line agrees with it.
 * Of several, the smallest.
 */
function mostFrequent(around: readonly number[], own: readonly number[]): number | null {
  const votesFor = (candidate: number) =>
    around.filter((other) => Math.abs(other - candidate) <= sameDifferenceMs).length;
  const agreed = own.filter((one) => votesFor(one) > 1);
  const candidates = agreed.length > 0 ? agreed : around;
  let best: number | null = null;
  let votes = 0;
  for (const candidate of candidates.toSorted((a, b) => Math.abs(a) - Math.abs(b))) {
    const more = votesFor(candidate);
    if (more > votes) [best, votes] = [candidate, more];
  }
  return best;
}

/** Whether they share more than half of the shorter one. */
function isSame(a: HeardPhrase, b: HeardPhrase | undefined): boolean {
  if (!b) return false;
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return shared > Math.min(lengthOf(a), lengthOf(b)) / 2;
}

const lengthOf = ({ startMs, endMs }: HeardPhrase) => endMs - startMs;
