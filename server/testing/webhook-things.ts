import { createWebhook, listWebhooks, testWebhook } from '#domain/webhooks/contract.ts';
import type { Visitor } from './visitor.ts';

/** Public, and reached by no test: nothing is sent unless a test sends it. */
export const unusedReceiver = 'https://203.0.114.1/hook';

/** Returns a webhook of the organization and a delivery to it. */
export async function webhookThings(
  visitor: Visitor,
): Promise<{ webhooks: string; 'webhook-deliveries': string }> {
  const body = { url: unusedReceiver, events: ['room.archived'] };
  const [known] = await visitor.call(listWebhooks);
  const { id } = known ?? (await visitor.call(createWebhook, { body }));
  const delivery = await visitor.call(testWebhook, { params: { id } });
  return { webhooks: id, 'webhook-deliveries': delivery.id };
}
