import { expect, test, vi } from 'vitest';
import { disk, leftOnDisk, NoDiskRoomError, withDiskRoom } from './disk-room.ts';

test('R19-70: work begins only where a gigabyte is left beside what other work may write', async () => {
  const free = vi.spyOn(disk, 'freeBytes').mockResolvedValue(leftOnDisk + 100);
  const run = (bytes: number, work: () => Promise<unknown>) => withDiskRoom('/data', bytes, work);
  const done = vi.fn(async () => 'done');
  await expect(run(101, done)).rejects.toThrow(NoDiskRoomError);
  expect(await run(100, done)).toBe('done');
  const inside = run(60, async () => {
    await expect(run(41, done)).rejects.toThrow(NoDiskRoomError);
    throw new Error('it failed');
  });
  await expect(inside).rejects.toThrow('it failed');
  // What ended, also by failing, has no claim any more.
  expect(await run(100, done)).toBe('done');
  expect(done).toHaveBeenCalledTimes(2);
  free.mockRestore();
});
