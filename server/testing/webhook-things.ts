import { addSlackChannel, listSlackChannels } from '#domain/slack/contract.ts';
import { createWebhook, listWebhooks, testWebhook } from '#domain/webhooks/contract.ts';
import { slackAddress, type Things, unusedReceiver } from './requests.ts';
import type { Visitor } from './visitor.ts';

/** Returns a webhook of the organization, a delivery to it, and a Slack channel. */
export async function webhookThings(
  visitor: Visitor,
): Promise<Pick<Things, 'webhooks' | 'webhook-deliveries' | 'slack-channels'>> {
  const body = { url: unusedReceiver, events: ['room.archived'] };
  const [known] = await visitor.call(listWebhooks);
  const { id } = known ?? (await visitor.call(createWebhook, { body }));
  const delivery = await visitor.call(testWebhook, { params: { id } });
  const [channel] = await visitor.call(listSlackChannels);
  const slack = { name: '#success', secretAddress: slackAddress };
  const { id: slackId } = channel ?? (await visitor.call(addSlackChannel, { body: slack }));
  return { 'slack-channels': slackId, webhooks: id, 'webhook-deliveries': delivery.id };
}
