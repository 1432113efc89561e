import { wantsConfirmation } from '#web/security/queries.ts';

type Answer = (isConfirmed: boolean) => void;

let waiting: Answer | null = null;
const listeners = new Set<() => void>();

function become(next: Answer | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Whether a change is waiting for re-authentication. */
export const isAsking = () => waiting !== null;

export function onAsking(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // No dialog is left to ask.
    if (listeners.size === 0) answerAsking(false);
  };
}

/** Lets the waiting change continue, or makes it fail. */
export function answerAsking(isConfirmed: boolean): void {
  const answer = waiting;
  become(null);
  answer?.(isConfirmed);
}

/**
 * Does work for which the server may require re-authentication. If it does, the page's
 * `ConfirmSelf` asks while the work stays pending, so that forms keep their input, and the work is
 * repeated.
 * @throws what the work throws; its refusal if the person does not re-authenticate
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
