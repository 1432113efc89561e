import { NotReplayed } from './eventually.ts';
import type { Scene } from './scene.ts';

/** A finding of the review, and the attack that showed it. */
export interface Finding {
  id: string;
  /** `alone`: measures, and so runs first and by itself. `aside`: mostly waits, and runs beside the rest. */
  when?: 'alone' | 'aside';
  /** Works on purpose: why, as docs/security-review.md says. */
  accepted?: string;
  /** Answers what was observed. Throws `Broken` where the attack works, `NotReplayed` where it cannot run. */
  attack(scene: Scene): Promise<string>;
}

export class Broken extends Error {}

/** Ends the attack as one that works, unless what must hold does. */
export function hold(holds: boolean, broken: string): asserts holds {
  if (!holds) throw new Broken(broken);
}

/** Ends the attack as one that could not be made, unless its preparation did. */
export function prepared(ready: boolean, why: string): asserts ready {
  if (!ready) throw new NotReplayed(why);
}

export type Verdict = 'held' | 'accepted' | 'BROKEN' | 'not replayed';

export interface Outcome {
  verdict: Verdict;
  observed: string;
}

const mostSeconds = 120;

/** Runs one attack, two minutes at most. A failure of the attack itself counts as not replayed. */
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
