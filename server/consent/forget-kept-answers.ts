import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const forget: Statement = {
  name: 'forget_kept_answers',
  text: 'insert into api_answer_erasures (org_id) values ($1)',
};

/**
 * Forgets what was answered to the organization's requests with an `Idempotency-Key`: it may contain the name or the
 * words of a person whose data are being erased. The keys stay, so that no request runs twice. Takes as long with a
 * million answers as with one: a job empties their texts within minutes (server/api/forget-answers.ts).
 */
export async function forgetKeptAnswers({ run, tenant }: TenantConnection): Promise<void> {
  await run(forget, [tenant.orgId]);
}
