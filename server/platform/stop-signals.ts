const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const echoMilliseconds = 500;
const parentCheckMilliseconds = 500;

export interface StopLimits {
  /** How long the stop may take before the process exits anyway. */
  limitSeconds?: number;
  /** Called with an unhandled error, before the stop; by default, it is written to standard error. */
  onFault?: (error: unknown) => void;
}

function whenParentIsGone(tell: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    tell();
  }, parentCheckMilliseconds).unref();
}

async function stopAndExit(
  stop: (reason: string) => Promise<void>,
  reason: string,
  limitSeconds: number,
  exitCode: number,
): Promise<void> {
  setTimeout(() => {
    console.error(`Stopping took longer than ${limitSeconds} s; ending without it.`);
    process.exit(1);
  }, limitSeconds * 1000).unref();
  try {
    await stop(reason);
    process.exit(exitCode);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

/**
 * Calls `stop` once when the process is asked to end, and then exits with 0. A second signal exits
 * immediately. After an unhandled error the state is unknown: the process stops in the same order,
 * and exits with 1. Under npm it also ends with its parent, because npm's shell does not forward
 * SIGTERM and would leave the server running alone.
 */
export function onStop(
  stop: (reason: string) => Promise<void>,
  { limitSeconds = 30, onFault = console.error }: StopLimits = {},
): void {
  let askedAt: number | undefined;
  let isFaulty = false;
  function ask(reason: string, exitCode = 0): void {
    askedAt = performance.now();
    stopAndExit(stop, reason, limitSeconds, exitCode);
  }
  // Handles only the first error, because reporting it may be what fails. Node reports unhandled
  // rejections here, too.
  process.on('uncaughtException', (error) => {
    if (isFaulty) return;
    isFaulty = true;
    onFault(error);
    if (askedAt === undefined) ask('an error that nothing handled', 1);
  });
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (askedAt === undefined) return ask(signal);
      if (performance.now() - askedAt > echoMilliseconds) process.exit(exitCode);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) {
    whenParentIsGone(() => {
      if (askedAt === undefined) ask('the npm that started it is gone');
    });
  }
}
