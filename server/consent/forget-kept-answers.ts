import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// In one order, so that two erasures cannot deadlock. A request that is in progress may have read what is being erased:
// its answer is not kept either (server/api/answer-once.ts).
const forget: Statement = {
  name: 'forget_kept_answers',
  text: `with due as (
      select id from api_answers where org_id = $1 and forgotten_at is null order by id for no key update
    )
    update api_answers a set answer_sealed = null, forgotten_at = now() from due d where a.id = d.id`,
};

/**
 * Forgets what was answered to the organization's requests with an `Idempotency-Key`: it may contain the name or the
 * words of a person whose data are being erased. The keys stay, so that no request runs twice.
 */
export async function forgetKeptAnswers({ run, tenant }: TenantConnection): Promise<void> {
  await run(forget, [tenant.orgId]);
}
