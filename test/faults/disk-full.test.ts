import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ok, person, runningCall, type StoredCall } from './person.ts';
import { cannotMountImages, cleanUp, newDataDir, run } from './run-program.ts';

afterAll(cleanUp);

/** Fills the disk completely. It is in the program's mount namespace, reached through /proc. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1_000_000, 4096]) {
      const block = Buffer.alloc(size);
      for (;;) writeSync(descriptor, block);
    }
  } catch {
    // It is full now.
  } finally {
    closeSync(descriptor);
  }
}

test('a disk that fills up during writes loses nothing that was acknowledged', async ({ skip }) => {
  if (cannotMountImages) skip(cannotMountImages);
  const dataDir = newDataDir();
  const disk = join(dataDir, '..', 'disk');
  mkdirSync(disk);
  // The image outlives the program: a tmpfs would disappear with its namespace.
  const image = join(dataDir, '..', 'image');
  const mount = `
    test -e '${image}' || { truncate -s 300M '${image}'; mkfs.ext4 -q '${image}'; }
    mount -o loop '${image}' '${disk}'`;
  const program = await run(join(disk, 'data'), {}, mount);
  await program.ready();
  const ada = await person(program.url);
  const call = await runningCall(ada, 1);
  const balloon = `/proc/${program.child.pid}/root${disk}/balloon`;

  let acknowledged = 0;
  let refused = 0;
  for (let n = 1; refused < 3 && n < 5000; n += 1) {
    if (n === 10) fill(balloon);
    const notesSnapshot = `${n} ${'x'.repeat(50_000)}`;
    const answer = await ada
      .send('PUT', `/api/calls/${call.id}`, { notesSnapshot })
      .catch(() => ({ status: 0, body: null }));
    if (answer.status === 200) acknowledged = n;
    else refused += 1;
    if (answer.status === 503) expect(answer.body).toMatchObject({ code: 'disk_full' });
  }
  expect(acknowledged).toBeGreaterThanOrEqual(9);
  expect(refused).toBeGreaterThan(0);
  // Said by the refused statement; or by PostgreSQL's log, where it could not even write its journal.
  await program.says(/No space left on device/);

  // After the failures, everything must be there once the disk has space again.
  rmSync(balloon, { force: true });
  program.child.kill('SIGTERM');
  await program.ended;
  const again = await run(join(disk, 'data'), {}, `${mount}\nrm -f '${disk}/balloon'`);
  await again.ready();
  const stored = await ok<StoredCall>(
    (await person(again.url)).send('GET', `/api/calls/${call.id}`),
  );
  expect(Number(stored.notesSnapshot?.split(' ')[0])).toBeGreaterThanOrEqual(acknowledged);
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
});
