import { createHash } from 'node:crypto';
import type { Config } from '#server/config.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

/** At most `most` mails per `key` within `seconds` of the first one. */
export interface MailLimit {
  key: readonly string[];
  most: number;
  seconds: number;
}

const count: Statement = {
  name: 'count_mail',
  text: 'select count_mail($1, $2, $3) as wait',
};
const forget: Statement = {
  name: 'forget_mail_counts',
  text: `delete from mail_counts where ends_at < now() - interval '1 day'`,
};

/**
 * Counts one mail against all limits, in the database, so that the counts hold for every process. A mail over
 * any limit counts against none.
 * @returns 0, or the number of seconds until the mail may be sent
 */
export async function countMail(
  { run }: Pick<Connection, 'run'>,
  { RATE_LIMIT_SCALE }: Pick<Config, 'RATE_LIMIT_SCALE'>,
  limits: readonly MailLimit[],
): Promise<number> {
  const [row] = await run<{ wait: number }>(count, [
    limits.map(({ key, seconds }) => keyOf(key, seconds)),
    limits.map(({ most }) => Math.ceil(most * RATE_LIMIT_SCALE)),
    limits.map(({ seconds }) => seconds),
  ]);
  return row?.wait ?? 0;
}

const keyOf = (key: readonly string[], seconds: number) =>
  createHash('sha256')
    .update([...key, String(seconds)].join('\0'))
    .digest();

export async function forgetMailCounts({ run }: Pick<Connection, 'run'>): Promise<void> {
  await run(forget, []);
}
