import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const forget: Statement = {
  name: 'forget_unsent_call_mails',
  text: `delete from mails
    where org_id = $1 and (call_id is not null or room_id is not null) and sent_at is null`,
};

/** Deletes mails about calls and lobbies that were not sent yet: they may name a person who is being erased. */
export async function forgetCallMails({ run, tenant }: TenantConnection): Promise<void> {
  await run(forget, [tenant.orgId]);
}
