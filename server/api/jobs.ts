import type { Database, Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { keptAnswersHours } from './answer-once.ts';

const atOnce = 5000;
const forget: Statement = {
  name: 'forget_api_answers',
  text: 'select forget_api_answers($1, $2) as n',
};

export function apiJobs({ jobs, database }: Services): void {
  jobs.define('api-answers-forget', { everyCron: '23 * * * *' }, () =>
    forgetAnswers(database, new Date()),
  );
}

/** Deletes the answers to keys that have expired. */
export async function forgetAnswers(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptAnswersHours * 3_600_000);
  for (;;) {
    const [forgotten] = await database.connection('outside', ({ run }) =>
      run<{ n: number }>(forget, [before, atOnce]),
    );
    if ((forgotten?.n ?? 0) < atOnce) return;
  }
}
