/** Ends the program with what went wrong, in a sentence; the stack only for whoever asks for it. */
export function fail(error: unknown): void {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = 1;
  // Whatever is still open must not keep a failed start alive.
  setTimeout(() => process.exit(1), 2000).unref();
}
