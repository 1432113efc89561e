import type { WebhookId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const stop: Statement = {
  name: 'stop_waiting_webhooks',
  text: `update webhook_deliveries set state = 'failed', finished_at = now(), sending_until = null
    where org_id = $1 and endpoint_id = $2 and state = 'waiting'`,
};
/** An answer that arrives from now on is not stored (note-attempt.ts). */
const distrustSending: Statement = {
  name: 'distrust_sending_webhooks',
  text: `update webhook_deliveries set sending_until = null
    where org_id = $1 and sending_until is not null`,
};
const emptyResponses: Statement = {
  name: 'empty_webhook_responses',
  text: 'update webhook_attempts set response = null where org_id = $1 and response is not null',
};

/** Gives up what waits for a webhook that is disabled. It can be replayed. */
export async function stopWaiting({ run, tenant }: TenantConnection, id: WebhookId) {
  await run(stop, [tenant.orgId, id]);
}

/**
 * Forgets what receivers answered, which may repeat what was sent to them about a person. Payloads are not stored,
 * so that nothing else is to be erased.
 */
export async function forgetResponses({ run, tenant }: TenantConnection): Promise<void> {
  await run(distrustSending, [tenant.orgId]);
  await run(emptyResponses, [tenant.orgId]);
}
