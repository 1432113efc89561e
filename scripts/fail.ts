/** Prints the error's message and ends the program; the stack is printed only with LOG_LEVEL=debug. */
export function fail(error: unknown): void {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = 1;
  // Open handles must not keep a failed start alive.
  setTimeout(() => process.exit(1), 2000).unref();
}
