import type { Services } from '#server/services.ts';
import { emptyForgottenAnswers, forgetAnswers } from './forget-answers.ts';

export function apiJobs({ jobs, database }: Services): void {
  jobs.define('api-answers-empty', { everyCron: '* * * * *' }, () =>
    emptyForgottenAnswers(database),
  );
  jobs.define('api-answers-forget', { everyCron: '23 * * * *' }, () =>
    forgetAnswers(database, new Date()),
  );
}
