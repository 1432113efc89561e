/** Levels are 0 to 1 (linear, as WebRTC gives them), the loudest of about each half second. */
const smoothedOver = 4;
/** Speech is well above it, a quiet room with its fan below. */
const speaks = 0.02;
/** Who takes over is clearly louder: two who talk at once do not make the page jump. */
const takesOver = 1.5;

/** For each person the last two seconds. */
export type Levels = ReadonlyMap<string, readonly number[]>;

/** @param peaks of everybody there; who is missing in it is forgotten */
export function nextLevels(levels: Levels, peaks: ReadonlyMap<string, number>): Levels {
  return new Map(
    [...peaks].map(([id, peak]) => [id, [...(levels.get(id) ?? []), peak].slice(-smoothedOver)]),
  );
}

export const speakingIn = (levels: Levels): string[] =>
  [...levels.keys()].filter((id) => loudnessOf(levels, id) >= speaks);

/** Whom to show large: who speaks, and in silence who spoke last. */
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
