import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { forgetOldAttempts } from './failed-attempts.ts';
import { forgetResets } from './reset-password.ts';
import { forgetSessions } from './sessions.ts';

const forgetChallenges: Statement = {
  name: 'forget_passkey_challenges',
  text: 'delete from passkey_challenges where expires_at < now()',
};

/** Deletes expired sessions, attempts, passkey challenges, and reset links. */
export function sessionJobs({ database, jobs }: Services): void {
  jobs.define('sessions-forget', { everyCron: '41 3 * * *' }, async () => {
    await forgetSessions(database);
    await forgetOldAttempts(database);
    await database.connection('outside', ({ run }) => run(forgetChallenges, []));
    await forgetResets(database, new Date());
  });
}
