import { DomainError } from '#domain/errors.ts';
import type { Logger } from '#server/platform/log.ts';
import type { LiveSession } from './live-session.ts';

interface Asked {
  session: LiveSession;
  log: Logger;
  /** The page's id for its message, if it waits for an answer. */
  id?: string;
  /** The text for the user when the error is ours. */
  failed: string;
}

/** Runs the work for a page's message. An error is answered with `refused` and the reason. */
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
