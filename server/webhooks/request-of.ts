import type { WebhookId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Config } from '#server/config.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import { payloadOf, type WebhookEvent } from './payload.ts';
import { slackMessageOf } from './slack/message-of.ts';

/** `slack`: an incoming webhook of Slack, whose address is the secret. */
export type EndpointKind = 'standard' | 'slack';

const channelById: Statement = {
  name: 'slack_channel_of_delivery',
  text: `select language, highest_score as "highestScore" from webhook_endpoints
    where org_id = $1 and id = $2`,
};

/**
 * Returns the body that an endpoint gets of an event, built from what is stored now. Null if there is nothing to send
 * any more.
 */
export async function bodyOf(
  config: Config,
  tenant: Tenant,
  event: WebhookEvent,
  { id, kind }: { id: WebhookId; kind: EndpointKind },
): Promise<string | null> {
  if (kind === 'standard') return payloadOf(tenant, event);
  const [channel] = await tenant.connection(({ run }) =>
    run<{ language: Language; highestScore: number | null }>(channelById, [tenant.orgId, id]),
  );
  return channel ? slackMessageOf(tenant, event, channel, installationUrl(config)) : null;
}
