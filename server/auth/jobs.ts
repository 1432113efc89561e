import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { forgetOldAttempts } from './failed-attempts.ts';
import { forgetSessions } from './sessions.ts';

const forgetChallenges: Statement = {
  name: 'forget_passkey_challenges',
  text: 'delete from passkey_challenges where expires_at < now()',
};

/** Deletes expired sessions, attempts, and passkey challenges. */
export function sessionJobs({ database, jobs }: Services): void {
  jobs.define('sessions-forget', { everyCron: '41 3 * * *' }, async () => {
    await forgetSessions(database);
    await forgetOldAttempts(database);
    await database.connection('outside', ({ run }) => run(forgetChallenges, []));
  });
}
