import type { Statement } from '#server/platform/database.ts';
import { lt, or } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { forgetOldTries } from './failed-tries.ts';
import { idleSince } from './sessions.ts';
import { sessions } from './tables.ts';

const forgetChallenges: Statement = {
  name: 'forget_passkey_challenges',
  text: 'delete from passkey_challenges where expires_at < now()',
};

/** Forgets sessions, tries and questions that are over. */
export function sessionJobs({ database, jobs }: Services): void {
  jobs.define('sessions-forget', { everyCron: '41 3 * * *' }, async () => {
    await database.read('outside', ({ db }) =>
      db
        .delete(sessions)
        .where(or(lt(sessions.expiresAt, new Date()), lt(sessions.lastSeenAt, idleSince()))),
    );
    await forgetOldTries(database);
    await database.read('outside', ({ run }) => run(forgetChallenges, []));
  });
}
