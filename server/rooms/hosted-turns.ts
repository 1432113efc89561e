import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { RequestTurn } from '#server/providers/video/hosted-room.ts';
import {
  type HostedPage,
  type HostedRates,
  type VideoEngine,
  VideoEngineError,
} from '#server/providers/video/port.ts';

/** A person waits for the call to open. The others are repeated (calls/hosted-removal.ts, recordings/hosted/). */
const longestWaitMs = 8_000;

type Turns = Record<keyof HostedRates, PacedTurns>;
const turnsOf = new WeakMap<HostedPage, Turns>();

/**
 * Returns the turns of one opening, ejection, or recording at a hosted provider, whose limits hold for all organizations
 * together: they take turns, so that none uses them up. All requests of it wait eight seconds at most.
 */
export function hostedTurns(
  { page }: VideoEngine,
  kind: keyof HostedRates,
  org: string,
): RequestTurn {
  if (!page) return async () => undefined;
  const turns = turnsOf.get(page) ?? {
    opening: new PacedTurns(page.rates.opening),
    ejection: new PacedTurns(page.rates.ejection),
    recording: new PacedTurns(page.rates.recording),
  };
  turnsOf.set(page, turns);
  const signal = AbortSignal.timeout(longestWaitMs);
  return async () => {
    if (!(await turns[kind].turn('all', org, signal)))
      throw new VideoEngineError('too many requests to the provider are waiting');
  };
}
