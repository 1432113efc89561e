/**
 * Loaded into the server before it (`--import`): at SIGUSR2 it collects the garbage and writes what is
 * left into the file that BENCH_PROBE names. The server itself knows nothing of it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.BENCH_PROBE;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

// The build of the pages, a child of the same command, is not the one that is meant.
if (file && process.argv[1]?.endsWith('start.ts')) {
  process.on('SIGUSR2', () => {
    for (let round = 0; round < 3; round += 1) collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, external }));
    renameSync(`${file}.new`, file);
  });
}
