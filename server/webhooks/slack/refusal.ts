import { type SlackRefusal, slackRefusals } from '#domain/slack/contract.ts';

/** Statuses by which Slack says that the address, not the message, is the problem. */
const final = new Set([403, 404, 410]);

/**
 * Returns why Slack takes no more messages at this address; null where another attempt may succeed. Slack answers a
 * word, such as `channel_is_archived`.
 */
export function refusalOf(status: number | null, response: string | null): SlackRefusal | null {
  if (status === null || !final.has(status)) return null;
  const word = response?.trim().toLowerCase() ?? '';
  return slackRefusals.find((known) => known === word) ?? 'no_service';
}
