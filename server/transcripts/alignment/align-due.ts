import type { OrgId, RecordedMediaId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { alignMedia, clearTemporary } from './align-media.ts';

const everySeconds = 10;
const batchSize = 20;

const due: Statement = {
  name: 'media_to_align',
  text: 'select org_id as "orgId", media_id as "mediaId" from media_to_align($1)',
};

/** Aligns the transcripts of recorded files that are due, one after the other. @returns their number */
export async function alignDue(
  services: Services,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const found = await services.database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; mediaId: RecordedMediaId }>(due, [batchSize]),
  );
  for (const media of found) {
    if (signal.aborted) break;
    await alignMedia(services, media, signal);
  }
  return found.length;
}

/** Aligns what is due until it is stopped, which ends the current one. It is tried again after the next start. */
export async function startAligning(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const stopping = new AbortController();
  const failed = 'transcripts to align could not be looked for';
  const aligning = repeat({ everySeconds, log: services.log, failed }, () =>
    alignDue(services, stopping.signal),
  );
  return {
    stop: () => {
      stopping.abort();
      return aligning.stop();
    },
  };
}
