/** Levels are 0 to 1 (linear, as in WebRTC), each the maximum of about half a second. */
const smoothedOver = 4;
/** Speech is well above it, a quiet room with a fan is below. */
const speaks = 0.02;
/** The next speaker must be this much louder, so that the page does not jump when two talk simultaneously. */
const takesOver = 1.5;

/** The last two seconds of each participant. */
export type Levels = ReadonlyMap<string, readonly number[]>;

/** @param peaks of everyone in the meeting; anyone missing in it is removed */
export function nextLevels(levels: Levels, peaks: ReadonlyMap<string, number>): Levels {
  return new Map(
    [...peaks].map(([id, peak]) => [id, [...(levels.get(id) ?? []), peak].slice(-smoothedOver)]),
  );
}

export const speakingIn = (levels: Levels): string[] =>
  [...levels.keys()].filter((id) => loudnessOf(levels, id) >= speaks);

/** Returns the participant to show large: the current speaker, or in silence the last one. */
export function nextActive(active: string | null, levels: Levels): string | null {
  const kept = active !== null && levels.has(active) ? active : null;
  const [loudest] = speakingIn(levels).sort(
    (a, b) => loudnessOf(levels, b) - loudnessOf(levels, a),
  );
  if (loudest === undefined) return kept;
  const mustWin = kept === null ? 0 : loudnessOf(levels, kept) * takesOver;
  return loudnessOf(levels, loudest) >= mustWin ? loudest : kept;
}

function loudnessOf(levels: Levels, id: string): number {
  const known = levels.get(id) ?? [];
  return known.reduce((sum, level) => sum + level, 0) / smoothedOver;
}
