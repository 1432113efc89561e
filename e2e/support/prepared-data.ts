import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './program.ts';
import { shareProgram } from './shared-program.ts';

/**
 * Creates a data folder as the first start leaves it, which the programs of the tests copy: a copy
 * takes a tenth of the time of creating and migrating a database. `story.test.ts` and `test/faults`
 * start on an empty folder, as operators do. Then starts the program that most files share.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-prepared-'));
  const program = await startProgram({}, folder);
  await program.stop();
  process.env.PREPARED_DATA_DIR = folder;
  const stopShared = await shareProgram();
  return async () => {
    await stopShared();
    rmSync(folder, { recursive: true, force: true });
  };
}
