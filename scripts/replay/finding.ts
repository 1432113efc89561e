import { NotReplayed } from './eventually.ts';
import type { Scene } from './scene.ts';

/** A finding of the review, and the attack that demonstrates it. */
export interface Finding {
  id: string;
  /**
   * `alone`: measures, and so runs first and separately. `aside`: mostly waits, and runs beside the
   * others.
   */
  when?: 'alone' | 'aside';
  /** Works on purpose; the reason, as in docs/security-review.md. */
  accepted?: string;
  /** Returns what was observed. Throws `Broken` if the attack works, `NotReplayed` if it cannot run. */
  attack(scene: Scene): Promise<string>;
}

export class Broken extends Error {}

/** Marks the attack as working unless the guarantee holds. */
export function hold(holds: boolean, broken: string): asserts holds {
  if (!holds) throw new Broken(broken);
}

/** Marks the attack as not replayed unless its preparation succeeded. */
export function prepared(ready: boolean, why: string): asserts ready {
  if (!ready) throw new NotReplayed(why);
}

export type Verdict = 'held' | 'accepted' | 'BROKEN' | 'not replayed';

export interface Outcome {
  verdict: Verdict;
  observed: string;
}

const mostSeconds = 120;

/** Runs one attack, for two minutes at most. A failure of the attack itself counts as not replayed. */
export async function replay(finding: Finding, scene: Scene): Promise<Outcome> {
  const timer = new AbortController();
  try {
    const tooLong = new Promise<never>((_, reject) => {
      const end = setTimeout(() => reject(new NotReplayed('it took too long')), mostSeconds * 1000);
      timer.signal.addEventListener('abort', () => clearTimeout(end));
    });
    return { verdict: 'held', observed: await Promise.race([finding.attack(scene), tooLong]) };
  } catch (error) {
    const observed = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Broken)) return { verdict: 'not replayed', observed };
    if (!finding.accepted) return { verdict: 'BROKEN', observed };
    return { verdict: 'accepted', observed: `${observed}; ${finding.accepted}` };
  } finally {
    timer.abort();
  }
}
