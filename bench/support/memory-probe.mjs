/**
 * Loaded into the server before its code (`--import`): on SIGUSR2 it collects the garbage and
 * writes the remaining size to the file that BENCH_PROBE names. The server itself is unchanged.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.BENCH_PROBE;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

// Not in the build of the pages, which is a child of the same command.
if (file && process.argv[1]?.endsWith('start.ts')) {
  process.on('SIGUSR2', () => {
    for (let round = 0; round < 3; round += 1) collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, external }));
    renameSync(`${file}.new`, file);
  });
}
