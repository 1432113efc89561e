import { DomainError } from '#domain/errors.ts';
import type { Logger } from '#server/platform/log.ts';
import type { LiveSession } from './live-session.ts';

interface Asked {
  session: LiveSession;
  log: Logger;
  /** What the page named its message by, where it waits for an answer to it. */
  id?: string;
  /** What the person reads where the fault is ours. */
  failed: string;
}

/** Does what a page asked; what cannot be done is answered with `refused`, and why. */
export async function orRefuse(
  { session, log, id, failed }: Asked,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = error instanceof DomainError ? error : null;
    if (!known) log.error({ err: error }, 'what a live message asked for failed');
    session.send({
      type: 'refused',
      ...(id === undefined ? {} : { id }),
      code: known?.code ?? 'not_saved',
      message: known?.message ?? failed,
    });
  }
}
