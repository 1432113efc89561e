import {
  createWebhook,
  deleteWebhook,
  keptDeliveriesDays,
  listWebhookDeliveries,
  listWebhooks,
  mostWebhooks,
  readWebhookDelivery,
  replayWebhookDelivery,
  rotateWebhookSecret,
  secretOverlapHours,
  testWebhook,
  updateWebhook,
} from '#domain/webhooks/contract.ts';
import type { Operations } from './operation.ts';

export const webhookOperations = {
  listWebhooks: {
    contract: listWebhooks,
    chapter: 'Webhooks',
    summary: 'List webhooks',
    description: `Returns all webhooks of the organization, at most ${mostWebhooks}, oldest first.`,
  },
  createWebhook: {
    contract: createWebhook,
    chapter: 'Webhooks',
    summary: 'Subscribe to events',
    description:
      'Creates a webhook. The answer contains the signing secret, which is shown this once.',
    example: {
      body: { url: 'https://hooks.example.com/rapport', events: ['call.ended', 'call.scored'] },
    },
  },
  updateWebhook: {
    contract: updateWebhook,
    chapter: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Changes the fields that are sent. `isEnabled` disables or enables it; deliveries that wait for a disabled webhook are not sent.',
    example: { body: { events: ['call.ended'] } },
  },
  deleteWebhook: {
    contract: deleteWebhook,
    chapter: 'Webhooks',
    summary: 'Unsubscribe',
    description: 'Deletes a webhook and its deliveries.',
  },
  rotateWebhookSecret: {
    contract: rotateWebhookSecret,
    chapter: 'Webhooks',
    summary: 'Rotate the signing secret',
    description: `Creates a new secret. The former one also signs for ${secretOverlapHours} hours.`,
  },
  testWebhook: {
    contract: testWebhook,
    chapter: 'Webhooks',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` to a webhook, whatever it subscribes to.',
  },
  listWebhookDeliveries: {
    contract: listWebhookDeliveries,
    chapter: 'Webhooks',
    summary: 'List deliveries',
    description: `Returns what was sent in the last ${keptDeliveriesDays} days, newest first.`,
  },
  readWebhookDelivery: {
    contract: readWebhookDelivery,
    chapter: 'Webhooks',
    summary: 'Read a delivery',
    description: 'Returns the request and the answer to each attempt, at most the newest 50.',
  },
  replayWebhookDelivery: {
    contract: replayWebhookDelivery,
    chapter: 'Webhooks',
    summary: 'Replay a delivery',
    description: 'Sends an event again, with the same id and its present data.',
  },
} as const satisfies Operations;
