import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { webhookId } from '#domain/ids.ts';
import { languages } from '#domain/languages.ts';
import { webhookDelivery } from '#domain/webhooks/contract.ts';

/** Of an organization. */
export const mostSlackChannels = 10;
const highestScore = 10;

/** What Slack answers when a channel takes no more messages from us. */
export const slackRefusals = [
  'no_service',
  'channel_not_found',
  'channel_is_archived',
  'action_prohibited',
] as const;
export type SlackRefusal = (typeof slackRefusals)[number];

export const slackChannel = z.object({
  id: webhookId,
  name: z.string(),
  /** The last characters of the address, which is a secret. */
  addressEnd: z.string(),
  callEnded: z.boolean(),
  /** Scores up to this one are sent; null for none. */
  lowScore: z.int().min(0).max(highestScore).nullable(),
  language: z.enum(languages),
  createdAt: z.iso.datetime(),
  /** `failing`: nothing was accepted for 24 hours. */
  disabled: z
    .object({ at: z.iso.datetime(), reason: z.enum(['member', 'failing', ...slackRefusals]) })
    .nullable(),
});
export type SlackChannel = z.infer<typeof slackChannel>;

const needsAddress = 'Please paste an address that starts with https://hooks.slack.com/services/';
export const slackChannelBody = z.object({
  name: z
    .string({ error: 'Please enter a name' })
    .trim()
    .min(1, 'Please enter a name')
    .max(80, 'Please use at most 80 characters'),
  /** Its name keeps it out of what a page stores of an unsent form. */
  secretAddress: z
    .string({ error: needsAddress })
    .trim()
    .max(300, 'Please use at most 300 characters')
    .regex(/^https:\/\/hooks\.slack\.com\/services\/\w+\/\w+\/\w+$/, needsAddress),
  callEnded: z.boolean().default(true),
  lowScore: slackChannel.shape.lowScore.default(6),
  language: z.enum(languages).default('en'),
});

const byId = z.object({ id: webhookId });

export const listSlackChannels = contract({
  method: 'GET',
  path: '/api/slack-channels',
  summary: 'The Slack channels that get messages, oldest first',
  permission: 'webhooks.manage',
  output: { 200: z.array(slackChannel).max(mostSlackChannels) },
});

export const addSlackChannel = contract({
  method: 'POST',
  path: '/api/slack-channels',
  summary: 'Send messages to a Slack channel, by the address of an incoming webhook',
  permission: 'webhooks.manage',
  needsVerifiedAddress: true,
  body: slackChannelBody,
  output: { 201: slackChannel },
  errors: [400, 409],
});

export const updateSlackChannel = contract({
  method: 'PATCH',
  path: '/api/slack-channels/:id',
  summary: 'Change, disable, or enable a Slack channel; a new address replaces the old one',
  permission: 'webhooks.manage',
  needsVerifiedAddress: true,
  params: byId,
  body: z.object({
    name: slackChannelBody.shape.name.optional(),
    secretAddress: slackChannelBody.shape.secretAddress.optional(),
    callEnded: z.boolean().optional(),
    lowScore: slackChannel.shape.lowScore.optional(),
    language: z.enum(languages).optional(),
    isEnabled: z.boolean().optional(),
  }),
  output: { 200: slackChannel },
  errors: [400, 404],
});

export const removeSlackChannel = contract({
  method: 'DELETE',
  path: '/api/slack-channels/:id',
  summary: 'Send no more messages to a Slack channel, and forget its address',
  permission: 'webhooks.manage',
  params: byId,
  output: { 204: null },
  errors: [404],
});

export const testSlackChannel = contract({
  method: 'POST',
  path: '/api/slack-channels/:id/test',
  summary: 'Send a test message to a Slack channel',
  permission: 'webhooks.manage',
  needsVerifiedAddress: true,
  params: byId,
  output: { 201: webhookDelivery },
  errors: [404, 409, 429],
});
