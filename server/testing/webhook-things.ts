import { createWebhook, listWebhooks, testWebhook } from '#domain/webhooks/contract.ts';
import { type Things, unusedReceiver } from './requests.ts';
import type { Visitor } from './visitor.ts';

/** Returns a webhook of the organization and a delivery to it. */
export async function webhookThings(
  visitor: Visitor,
): Promise<Pick<Things, 'webhooks' | 'webhook-deliveries'>> {
  const body = { url: unusedReceiver, events: ['room.archived'] };
  const [known] = await visitor.call(listWebhooks);
  const { id } = known ?? (await visitor.call(createWebhook, { body }));
  const delivery = await visitor.call(testWebhook, { params: { id } });
  return { webhooks: id, 'webhook-deliveries': delivery.id };
}
