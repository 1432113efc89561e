import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Stands for an answer that was forgotten: the key still does not allow the request again. */
export const forgotten = '';

const forget: Statement = {
  name: 'forget_api_answers',
  text: `update api_answers set answer_sealed = $2
    where org_id = $1 and token_id in (select id from api_tokens where org_id = $1) and answer_sealed <> $2`,
};

/** Forgets the answers that are kept for each `Idempotency-Key`, which may contain what is erased. */
export async function forgetKeptAnswers({ run, tenant }: TenantConnection): Promise<void> {
  await run(forget, [tenant.orgId, forgotten]);
}
