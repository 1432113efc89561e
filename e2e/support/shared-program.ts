import { discard, type Program, startProgram } from './program.ts';

/** A running program that other files use at the same time: each file has an organization of its own. */
export type SharedProgram = Pick<Program, 'url' | 'dataDir'>;

const place = 'SHARED_PROGRAM';

/**
 * Starts the program that the files without settings of their own share: a start takes more
 * processor time than many tests.
 * @returns stops it
 */
export async function shareProgram(): Promise<() => Promise<void>> {
  const program = await startProgram();
  const { url, dataDir } = program;
  // The processes of the tests inherit it.
  process.env[place] = JSON.stringify({ url, dataDir } satisfies SharedProgram);
  return () => discard(program);
}

/** Returns the program that this run's files share. */
export function sharedProgram(): SharedProgram {
  const program: SharedProgram | null = JSON.parse(process.env[place] ?? 'null');
  if (program === null) throw new Error('Only the projects pages and calls share a program.');
  return program;
}
