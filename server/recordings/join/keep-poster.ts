import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { RecordedSegmentId } from '#domain/ids.ts';
import { makePictureSafe } from '#server/pictures/make-picture-safe.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { posterKey } from '../segment-folder.ts';

/** The process that wrote it has read a hostile file. A key frame of a full screen has less than one megabyte. */
const mostBytes = 8 * 1024 * 1024;

const lacksPoster: Statement = {
  name: 'segment_lacks_poster',
  text: 'select 1 from recorded_media where org_id = $1 and segment_id = $2 and poster_key is null',
};
const setPoster: Statement = {
  name: 'set_poster_of_join',
  text: `update recorded_media set poster_key = $3
    where org_id = $1 and segment_id = $2 and (poster_key is null or poster_key = $3) returning id`,
};

/**
 * Stores a picture from the file, redrawn, where the page has sent none: a media server that records has no page. A
 * recording can be played without it, so that a failure is logged only.
 * @param path of the picture
 */
export async function keepPoster(
  { files, log }: Pick<Services, 'files' | 'log'>,
  tenant: Tenant,
  segmentId: RecordedSegmentId,
  path: string,
): Promise<void> {
  const { orgId } = tenant;
  const segment = [orgId, segmentId];
  try {
    const lacking = await tenant.connection(({ run }) => run(lacksPoster, segment));
    if (lacking.length === 0) return;
    const { size } = await stat(path);
    if (size > mostBytes) throw new Error(`The picture has ${size} bytes.`);
    const picture = await makePictureSafe(orgId, await readFile(path), 'poster');
    const key = posterKey(orgId, segmentId);
    await files.put(key, Readable.from([picture]), picture.length);
    const set = await tenant.connection(({ run }) => run(setPoster, [...segment, key]));
    // Deleted meanwhile.
    if (set.length === 0) await files.delete(key);
  } catch (error) {
    log.warn({ err: error, orgId, segmentId }, 'a recording has no poster');
  }
}
