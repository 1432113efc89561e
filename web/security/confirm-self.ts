import { wantsConfirmation } from '#web/security/queries.ts';

type Answer = (isConfirmed: boolean) => void;

let waiting: Answer | null = null;
const listeners = new Set<() => void>();

function become(next: Answer | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Whether a change waits for the person to confirm who they are. */
export const isAsking = () => waiting !== null;

export function onAsking(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Nobody is left to ask.
    if (listeners.size === 0) answerAsking(false);
  };
}

/** Lets the change go on that waits, or has it fail. */
export function answerAsking(isConfirmed: boolean): void {
  const answer = waiting;
  become(null);
  answer?.(isConfirmed);
}

/**
 * Does work that the server may want confirmed first. Where it does, the page's `ConfirmSelf` asks while
 * the work stays pending, so that forms keep what they hold, and the work is done again.
 * @throws what the work throws; its refusal where the person does not confirm
 */
export async function confirmed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!wantsConfirmation(error) || listeners.size === 0) throw error;
    const isConfirmed = await new Promise<boolean>((answer) => become(answer));
    if (!isConfirmed) throw error;
    return work();
  }
}
