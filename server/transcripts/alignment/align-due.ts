import type { Statement } from '#server/platform/database.ts';
import { FilesInTurn, workInTurn, workOnDue } from '#server/platform/files-in-turn.ts';
import type { Repeated } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { alignMedia, clearTemporary, type MediaToAlign } from './align-media.ts';

const everySeconds = 10;
/** An hour takes half a minute of a core. */
const slowMs = 2 * 60_000;

const due: Statement = {
  name: 'media_to_align',
  text: 'select org_id as "orgId", media_id as "mediaId" from media_to_align($1, $2)',
};

/** Aligns the transcripts of recorded files and, some at a time, has their missing phrases recognized. */
export class Aligning extends FilesInTurn<MediaToAlign> {
  constructor(services: Services, align: typeof alignMedia = alignMedia) {
    super({
      log: services.log,
      idOf: ({ mediaId }) => mediaId,
      find: (ofOrganization, inAll) =>
        services.database.background(({ run }) =>
          run<MediaToAlign & Record<string, unknown>>(due, [ofOrganization, inAll]),
        ),
      begin: (media, signal) => align(services, media, signal),
      slowMs,
      failed: 'a transcript was not aligned',
    });
  }
}

/** Aligns the transcripts of recorded files that are due. @returns their number */
export const alignDue = (services: Services): Promise<number> => workOnDue(new Aligning(services));

/** Aligns what is due until it is stopped. */
export async function startAligning(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const failed = 'transcripts to align could not be looked for';
  return workInTurn(new Aligning(services), { everySeconds, log: services.log, failed });
}
