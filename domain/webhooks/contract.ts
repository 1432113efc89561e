import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { webhookDeliveryId, webhookId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';
import { sentEventTypes, webhookEventTypes } from './event-types.ts';

/** Of an organization. */
export const mostWebhooks = 20;
/** For so long, the previous secret signs, too. */
export const secretOverlapHours = 24;
/** For so long, deliveries are listed and can be replayed. */
export const keptDeliveriesDays = 30;

export const webhook = z.object({
  id: webhookId,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  createdAt: z.iso.datetime(),
  /** `failing`: nothing was accepted for 24 hours. `gone`: the receiver answered 410. */
  disabled: z
    .object({ at: z.iso.datetime(), reason: z.enum(['member', 'failing', 'gone']) })
    .nullable(),
  /** Until when the previous secret signs, too. */
  previousSecretUntil: z.iso.datetime().nullable(),
  /** Deliveries that are due or wait for another attempt; counted up to 1000. */
  waitingCount: z.int(),
});
export type Webhook = z.infer<typeof webhook>;

/** Includes the secret, which is shown this once. */
export const madeWebhook = webhook.extend({ secret: z.string() });
export type MadeWebhook = z.infer<typeof madeWebhook>;

const deliveryStates = ['waiting', 'delivered', 'failed', 'gone'] as const;
export const webhookDelivery = z.object({
  id: webhookDeliveryId,
  eventId: z.uuid(),
  type: z.enum(sentEventTypes),
  createdAt: z.iso.datetime(),
  /** `gone`: what it was about was deleted before it could be sent. */
  state: z.enum(deliveryStates),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  /** Of a waiting delivery. */
  nextTryAt: z.iso.datetime().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const deliveryFailures = ['unreachable', 'timeout', 'private_target'] as const;
export const deliveryDetails = webhookDelivery.extend({
  request: z.object({
    url: z.string(),
    /** As a replay sends it: payloads are not stored. Null if what it is about was deleted. */
    body: z.string().nullable(),
  }),
  /** The newest, at most 50. */
  log: z.array(
    z.object({
      id: z.uuid(),
      at: z.iso.datetime(),
      durationMs: z.int(),
      status: z.int().nullable(),
      failure: z.enum(deliveryFailures).nullable(),
      /** The first 4 KB of the answer. Null if there was none, or after an erasure. */
      response: z.string().nullable(),
    }),
  ),
});
export type DeliveryDetails = z.infer<typeof deliveryDetails>;

const needsUrl = 'Please enter a URL that starts with https://';
export const webhookBody = z.object({
  url: z
    .string({ error: needsUrl })
    .trim()
    .max(2000, 'Please use at most 2000 characters')
    .regex(/^https?:\/\/[^\s/?#]+\S*$/i, needsUrl),
  description: z.string().trim().max(200, 'Please use at most 200 characters').default(''),
  events: z
    .array(z.enum(webhookEventTypes), { error: 'Please choose at least one event' })
    .min(1, 'Please choose at least one event')
    .max(webhookEventTypes.length)
    .transform((events) => [...new Set(events)]),
});

const byId = z.object({ id: webhookId });
const byDelivery = z.object({ id: webhookDeliveryId });

export const listWebhooks = contract({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'The addresses to which your organization’s events are sent, oldest first',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  output: { 200: z.array(webhook).max(mostWebhooks) },
});

export const createWebhook = contract({
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Send events to an address; the secret is shown this once',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  needsVerifiedAddress: true,
  body: webhookBody,
  output: { 201: madeWebhook },
  errors: [400, 409, 429],
});

export const updateWebhook = contract({
  method: 'PATCH',
  path: '/api/webhooks/:id',
  summary: 'Change, disable, or enable a webhook; what waits for a disabled one is not sent',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  needsVerifiedAddress: true,
  params: byId,
  body: webhookBody.partial().extend({
    description: webhookBody.shape.description.unwrap().optional(),
    isEnabled: z.boolean().optional(),
  }),
  output: { 200: webhook },
  errors: [400, 404, 429],
});

export const deleteWebhook = contract({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  summary: 'Delete a webhook and its deliveries',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  params: byId,
  output: { 204: null },
  errors: [404],
});

export const rotateWebhookSecret = contract({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  summary: `Make a new secret; for ${secretOverlapHours} hours the old one signs, too`,
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  needsVerifiedAddress: true,
  params: byId,
  output: { 201: madeWebhook },
  errors: [404, 429],
});

export const testWebhook = contract({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  summary: 'Send a test event to a webhook',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  needsVerifiedAddress: true,
  params: byId,
  output: { 201: webhookDelivery },
  errors: [404, 409, 429],
});

export const listWebhookDeliveries = contract({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  summary: `What was sent to a webhook in the last ${keptDeliveriesDays} days, newest first`,
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  params: byId,
  query: pageQuery,
  output: { 200: z.array(webhookDelivery) },
  errors: [404],
});

export const readWebhookDelivery = contract({
  method: 'GET',
  path: '/api/webhook-deliveries/:id',
  summary: 'One delivery with its request, and the answer to each attempt',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  params: byDelivery,
  output: { 200: deliveryDetails },
  errors: [404],
});

export const replayWebhookDelivery = contract({
  method: 'POST',
  path: '/api/webhook-deliveries/:id/replay',
  summary: 'Send an event again, with the same id and its present data',
  permission: 'webhooks.manage',
  scope: 'webhooks:write',
  needsVerifiedAddress: true,
  params: byDelivery,
  output: { 200: webhookDelivery },
  errors: [404, 409, 429],
});
