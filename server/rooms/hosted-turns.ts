import type { OrgId } from '#domain/ids.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import {
  type HostedPage,
  type HostedRates,
  type VideoEngine,
  VideoEngineError,
} from '#server/providers/video/port.ts';

/** A person waits for the call to open. An ejection is repeated (calls/hosted-removal.ts). */
const longestWaitMs = 8_000;

type Turns = Record<keyof HostedRates, PacedTurns>;
const turnsOf = new WeakMap<HostedPage, Turns>();

/**
 * Waits until a hosted provider may be asked, whose limits hold for all organizations together: they take
 * turns, so that none uses them up.
 * @throws VideoEngineError when the turn does not come within eight seconds
 */
export async function hostedTurn(
  { page }: VideoEngine,
  kind: keyof HostedRates,
  org: OrgId,
): Promise<void> {
  if (!page) return;
  const { rates } = page;
  const turns = turnsOf.get(page) ?? {
    opening: new PacedTurns(rates.opening),
    ejection: new PacedTurns(rates.ejection),
  };
  turnsOf.set(page, turns);
  const signal = AbortSignal.timeout(longestWaitMs);
  if (!(await turns[kind].turn('all', org, signal, rates[kind].cost)))
    throw new VideoEngineError('too many requests to the provider are waiting');
}
