import { lt } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { forgetOldTries } from './failed-tries.ts';
import { sessions } from './tables.ts';

/** Forgets sessions that are over. */
export function sessionJobs({ database, jobs }: Services): void {
  jobs.define('sessions-forget', { everyCron: '41 3 * * *' }, async () => {
    await database.read('outside', ({ db }) =>
      db.delete(sessions).where(lt(sessions.expiresAt, new Date())),
    );
    await forgetOldTries(database);
  });
}
