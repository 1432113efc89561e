/**
 * Returns `full` in `npm run test:full`, which sets FULL_TESTS, and `short` otherwise. For sizes and
 * repetitions of long tests: the short form checks the same rules.
 */
export const inFullRun = <T>(full: T, short: T): T =>
  process.env.FULL_TESTS === '1' ? full : short;
