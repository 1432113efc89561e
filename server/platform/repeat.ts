import type { Logger } from './log.ts';

/** Work that is repeated until `stop`, which waits for the current run. */
export interface Repeated {
  stop(): Promise<void>;
}

/**
 * Repeats work every few seconds. A run that lasts longer delays the next one.
 * @param work receives a function that returns whether it should end early
 * @param failed the log message of a failed run, which does not end the repetition
 */
export function repeat(
  { everySeconds, log, failed }: { everySeconds: number; log: Logger; failed: string },
  work: (isStopping: () => boolean) => Promise<unknown>,
): Repeated {
  let running: Promise<unknown> | null = null;
  let isStopping = false;
  const run = () => {
    running ??= work(() => isStopping)
      .catch((error) => log.error({ err: error }, failed))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, everySeconds * 1000);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
