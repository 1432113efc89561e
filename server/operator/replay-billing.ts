import { processBillingEvents } from '#server/billing/process-events.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { Logger } from '#server/platform/log.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';

const again: Statement = {
  name: 'replay_billing_events',
  text: `with chosen as (
      update billing_events set processed_at = null, attempts = 0, next_attempt_at = clock_timestamp()
      where ($1 = 'all' and received_at > now() - interval '30 days') or id = $1
      returning id)
    select count(*)::int as count from chosen`,
};
const left: Statement = {
  name: 'unprocessed_billing_events',
  text: 'select count(*)::int as count from billing_events where processed_at is null',
};

/**
 * Processes stored webhooks of the card provider again. That is safe at any time: each only makes
 * the organization's subscription be read.
 * @param given an event's ID (evt_…), or `all`
 * @returns what was done, as a sentence
 * @throws an Error that states what to do
 */
export async function replayBilling(
  database: Database,
  billing: BillingProvider | null,
  { given, log }: { given: string; log: Logger },
): Promise<string> {
  if (!billing)
    throw new Error('No card provider is set up: set STRIPE_SECRET_KEY and the others.');
  const count = (statement: Statement, values: unknown[]) =>
    database.connection('outside', async ({ run }) => {
      const [row] = await run<{ count: number }>(statement, values);
      return row?.count ?? 0;
    });
  const chosen = await count(again, [given]);
  if (chosen === 0) throw new Error(`No stored webhook has the id ${given}.`);
  await processBillingEvents({ database, billing, log });
  const failed = await count(left, []);
  return failed === 0
    ? `${chosen} webhooks were processed again.`
    : `${chosen} webhooks were processed again; ${failed} wait for another attempt. The log says why.`;
}
