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
/** Phrases that a line is compared with: more than there are in ten seconds of speech. The nearest count. */
const mostLikely = 32;
/** Lines of one step: less than a millisecond. */
const linesOfStep = 10;

/** The place in a recorded file for each line, by its index; lines that the file has no phrase for are left out. */
export interface Alignment {
  times: ReadonlyMap<number, HeardPhrase>;
  /** The indices of phrases that no line has. */
  missing: readonly number[];
}

/**
 * Finds for each line of a person, as it was timed during the call, the phrase of their recorded file.
 * Both are in the order in which they were said. Each step is short, so that other work can be done in between.
 */
export function* alignInSteps(
  lines: readonly HeardPhrase[],
  phrases: readonly HeardPhrase[],
): Generator<void, Alignment> {
  const around = new Around(lines, phrases);
  const times = new Map<number, HeardPhrase>();
  const taken = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (index % linesOfStep === linesOfStep - 1) yield;
    const difference = mostFrequent(around.moveTo(index), around.likely(index));
    if (difference === null) continue;
    const moved = { startMs: line.startMs + difference, endMs: line.endMs + difference };
    const shared = between(phrases, moved.startMs - longestPhraseMs, moved.endMs).filter((at) =>
      isSame(moved, phrases[at]),
    );
    const first = phrases[shared[0] ?? -1];
    const last = phrases[shared.at(-1) ?? -1];
    if (!first || !last) continue;
    for (const at of shared) taken.add(at);
    // A phrase may have become two lines, and a line may have become two phrases.
    const startMs = Math.max(first.startMs, moved.startMs - marginMs);
    const endMs = Math.min(last.endMs, moved.endMs + marginMs);
    times.set(index, { startMs, endMs: Math.max(startMs, endMs) });
  }
  return { times, missing: phrases.flatMap((_, at) => (taken.has(at) ? [] : [at])) };
}

/** The likely differences of the lines around a line. They change little from one line to the next. */
class Around {
  readonly #lines: readonly HeardPhrase[];
  readonly #phrases: readonly HeardPhrase[];
  /** Of each line so far, in order. */
  readonly #likely: (readonly number[])[] = [];
  /** Of the lines around, in order. */
  #sorted: readonly number[] = [];

  constructor(lines: readonly HeardPhrase[], phrases: readonly HeardPhrase[]) {
    this.#lines = lines;
    this.#phrases = phrases;
  }

  likely(index: number): readonly number[] {
    return this.#likely[index] ?? [];
  }

  /** Moves on by one line, or to the first. @returns the differences of the lines around it, in order */
  moveTo(index: number): readonly number[] {
    const last = Math.min(this.#lines.length - 1, index + neighbors);
    while (this.#likely.length <= last) {
      const line = this.#lines[this.#likely.length];
      const likely = line ? differencesOf(line, this.#phrases) : [];
      this.#likely.push(likely);
      this.#sorted = merged(this.#sorted, likely);
    }
    this.#sorted = without(this.#sorted, this.likely(index - neighbors - 1));
    return this.#sorted;
  }
}

/** Merges two lists of numbers that are in order. */
function merged(a: readonly number[], b: readonly number[]): number[] {
  const both: number[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length || atB < b.length) {
    const [nextA, nextB] = [a[atA] ?? Number.POSITIVE_INFINITY, b[atB] ?? Number.POSITIVE_INFINITY];
    if (nextA <= nextB) atA += 1;
    else atB += 1;
    both.push(Math.min(nextA, nextB));
  }
  return both;
}

/** Removes each of `some`, which are among `all`, once. Both are in order. */
function without(all: readonly number[], some: readonly number[]): readonly number[] {
  let at = 0;
  if (some.length === 0) return all;
  return all.filter((one) => {
    if (one !== some[at]) return true;
    at += 1;
    return false;
  });
}

/** How much later the phrases began that a line may be, in order. */
function differencesOf(line: HeardPhrase, phrases: readonly HeardPhrase[]): readonly number[] {
  const { startMs } = line;
  const all = between(phrases, startMs - mostDifferenceMs, startMs + mostDifferenceMs).flatMap(
    (at) => {
      const phrase = phrases[at];
      const isLike = phrase && Math.abs(lengthOf(phrase) - lengthOf(line)) <= sameLengthMs;
      return isLike ? [phrase.startMs - startMs] : [];
    },
  );
  if (all.length <= mostLikely) return all;
  const nearest = all.toSorted((a, b) => Math.abs(a) - Math.abs(b)).slice(0, mostLikely);
  return nearest.sort((a, b) => a - b);
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
 * Of several, the smallest. All are in order.
 */
function mostFrequent(around: readonly number[], own: readonly number[]): number | null {
  const [agreed, votes] = best(own, around);
  return votes > 1 ? agreed : best(around, around)[0];
}

/** Returns the candidate with most votes, the smallest of several, and its votes: those that differ little from it. */
function best(
  candidates: readonly number[],
  around: readonly number[],
): [number | null, votes: number] {
  let found: number | null = null;
  let most = 0;
  let [from, to] = [0, 0];
  for (const candidate of candidates) {
    while ((around[from] ?? candidate) < candidate - sameDifferenceMs) from += 1;
    while ((around[to] ?? Number.POSITIVE_INFINITY) <= candidate + sameDifferenceMs) to += 1;
    const votes = to - from;
    const isSmaller = found === null || Math.abs(candidate) < Math.abs(found);
    if (votes > most || (votes === most && isSmaller)) [found, most] = [candidate, votes];
  }
  return [found, most];
}

/** Whether they share more than half of the shorter one. */
function isSame(a: HeardPhrase, b: HeardPhrase | undefined): boolean {
  if (!b) return false;
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return shared > Math.min(lengthOf(a), lengthOf(b)) / 2;
}

const lengthOf = ({ startMs, endMs }: HeardPhrase) => endMs - startMs;
