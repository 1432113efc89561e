/** In the order in which people choose them. Their data are in events.ts, which pages do not load. */
export const webhookEventTypes = [
  'room.created',
  'room.archived',
  'call.started',
  'call.ended',
  'call.scored',
  'call.summary_ready',
  'call.transcript_ready',
  'action_item.created',
  'action_item.updated',
  'action_item.completed',
  'member.added',
  'member.removed',
  'invitation.created',
  'invitation.accepted',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Sent on request, to one webhook, whatever it subscribes to. */
export const testEventType = 'webhook.test';

export const sentEventTypes = [...webhookEventTypes, testEventType] as const;
export type SentEventType = (typeof sentEventTypes)[number];
