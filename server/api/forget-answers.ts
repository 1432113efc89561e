import type { Database, Statement } from '#server/platform/database.ts';
import { untilFewer } from '#server/platform/until-fewer.ts';
import { keptAnswersHours } from './answer-once.ts';

const atOnce = 5000;
const forget: Statement = {
  name: 'forget_api_answers',
  text: 'select forget_api_answers($1, $2) as n',
};
const empty: Statement = {
  name: 'empty_forgotten_answers',
  text: 'select empty_forgotten_answers($1) as n',
};
const addUp: Statement = {
  name: 'add_up_erasures_of_answers',
  text: 'select add_up_erasures()',
};

/** Deletes the answers to keys that have expired. */
export async function forgetAnswers(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptAnswersHours * 3_600_000);
  await untilFewer(database, forget, [before], atOnce);
}

/** Empties the texts of answers that were forgotten because data of a person were erased. */
export async function emptyForgottenAnswers(database: Database): Promise<void> {
  await untilFewer(database, empty, [], atOnce);
  await database.connection('outside', ({ run }) => run(addUp, []));
}
