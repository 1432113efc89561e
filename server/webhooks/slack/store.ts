import type { BodyOf } from '#domain/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type WebhookId, webhookId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import {
  type addSlackChannel as addContract,
  mostSlackChannels,
  type SlackChannel,
  type updateSlackChannel as updateContract,
} from '#domain/slack/contract.ts';
import type { WebhookEventType } from '#domain/webhooks/event-types.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { tellOfDestination } from '#server/auth/tell-of-destination.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { stopWaiting } from '../end-deliveries.ts';
import { sealSecret } from '../secret.ts';

interface ChannelRow {
  id: WebhookId;
  name: string;
  url: string;
  events: WebhookEventType[];
  highestScore: number | null;
  language: Language;
  createdAt: Date;
  disabledAt: Date | null;
  disabledReason: NonNullable<SlackChannel['disabled']>['reason'] | null;
}

const columns = `id, description as name, url, events, highest_score as "highestScore", language,
    created_at as "createdAt", disabled_at as "disabledAt", disabled_reason as "disabledReason"`;
const allChannels: Statement = {
  name: 'slack_channels_of_organization',
  text: `select ${columns} from webhook_endpoints where org_id = $1 and kind = 'slack' order by id`,
};
const lockChannel: Statement = {
  name: 'lock_slack_channel',
  text: `select ${columns} from webhook_endpoints where org_id = $1 and id = $2 and kind = 'slack'
    for no key update`,
};
const insertChannel: Statement = {
  name: 'insert_slack_channel',
  text: `insert into webhook_endpoints (kind, id, org_id, description, url, secret_sealed, events,
      highest_score, language, created_by)
    values ('slack', $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const changeChannel: Statement = {
  name: 'change_slack_channel',
  text: `update webhook_endpoints set description = $3, events = $4, highest_score = $5, language = $6,
      url = coalesce($7, url), secret_sealed = coalesce($8, secret_sealed),
      paused_until = case when $7 is null then paused_until end
    where org_id = $1 and id = $2`,
};
const enableChannel: Statement = {
  name: 'enable_slack_channel',
  text: `update webhook_endpoints set disabled_at = null, disabled_by = null, disabled_reason = null,
      paused_until = null
    where org_id = $1 and id = $2`,
};
const disableChannel: Statement = {
  name: 'disable_slack_channel',
  text: `update webhook_endpoints set disabled_at = now(), disabled_by = $3, disabled_reason = 'member'
    where org_id = $1 and id = $2`,
};
const removeChannel: Statement = {
  name: 'remove_slack_channel',
  text: `delete from webhook_endpoints where org_id = $1 and id = $2 and kind = 'slack' returning id`,
};

/** Of an address, which is a secret: so many characters are shown. */
const shownCharacters = 4;
const shownStart = 'https://hooks.slack.com/…';
const shownAddress = (address: string) => `${shownStart}${address.slice(-shownCharacters)}`;

const eventsOf = ({ callEnded, lowScore }: Pick<SlackChannel, 'callEnded' | 'lowScore'>) => [
  ...(callEnded ? (['call.ended'] as const) : []),
  ...(lowScore === null ? [] : (['call.scored'] as const)),
];

export const listSlackChannels = (tenant: Tenant): Promise<SlackChannel[]> =>
  tenant.connection(async ({ run }) =>
    (await run<ChannelRow & Record<string, unknown>>(allChannels, [tenant.orgId])).map(asChannel),
  );

/** @throws DomainError 404 */
export async function lockSlackChannel(tx: TenantConnection, id: WebhookId): Promise<SlackChannel> {
  const values = [tx.tenant.orgId, id];
  const [row] = await tx.run<ChannelRow & Record<string, unknown>>(lockChannel, values);
  if (!row) throw notFound();
  return asChannel(row);
}

/**
 * @param home the server's public URL, for the mail to the other admins, as below
 * @throws DomainError 409
 */
export function addSlackChannel(
  tenant: Tenant,
  secrets: Secrets,
  body: BodyOf<typeof addContract>,
  home: string,
): Promise<SlackChannel> {
  const { orgId } = tenant;
  const { name, secretAddress: address, lowScore, language } = body;
  return tenant.transaction(async (tx) => {
    await lockOrganization(tx);
    if ((await tx.run(allChannels, [orgId])).length >= mostSlackChannels) throw tooMany();
    const id = newId(webhookId);
    const events = eventsOf(body);
    await tx.run(insertChannel, [
      ...[id, orgId, name, shownAddress(address), sealSecret(secrets, id, address)],
      ...[events, lowScore, language, actingAccount(tenant)],
    ]);
    const event = { action: 'SLACK_CHANNEL_ADDED', entity: 'webhook', entityId: id } as const;
    await recordEvent(tx, { ...event, metadata: { events } });
    await tellOfDestination(tx, { kind: 'slack', address, isNew: true }, home);
    return lockSlackChannel(tx, id);
  });
}

const tooMany = () =>
  new DomainError(
    'conflict',
    'most_slack_channels',
    `Your organization has ${mostSlackChannels} Slack channels already. Remove one first.`,
  );

/** @throws DomainError 404 */
export function updateSlackChannel(
  tenant: Tenant,
  secrets: Secrets,
  id: WebhookId,
  { isEnabled, secretAddress: address, ...fields }: BodyOf<typeof updateContract>,
  home: string,
): Promise<SlackChannel> {
  const key = [tenant.orgId, id];
  const about = { entity: 'webhook', entityId: id } as const;
  return tenant.transaction(async (tx) => {
    const before = await lockSlackChannel(tx, id);
    const changed = Object.keys(
      address === undefined ? fields : { ...fields, secretAddress: address },
    );
    if (changed.length > 0) {
      const next = {
        name: fields.name ?? before.name,
        callEnded: fields.callEnded ?? before.callEnded,
        lowScore: fields.lowScore === undefined ? before.lowScore : fields.lowScore,
        language: fields.language ?? before.language,
      };
      await tx.run(changeChannel, [
        ...[...key, next.name, eventsOf(next), next.lowScore, next.language],
        address === undefined ? null : shownAddress(address),
        address === undefined ? null : sealSecret(secrets, id, address),
      ]);
      await recordEvent(tx, {
        ...about,
        action: 'SLACK_CHANNEL_UPDATED',
        metadata: { fields: changed },
      });
    }
    if (address !== undefined)
      await tellOfDestination(tx, { kind: 'slack', address, isNew: false }, home);
    if (isEnabled === true && before.disabled) {
      await tx.run(enableChannel, key);
      await recordEvent(tx, { ...about, action: 'SLACK_CHANNEL_ENABLED' });
    }
    if (isEnabled === false && !before.disabled) {
      await tx.run(disableChannel, [...key, actingAccount(tenant)]);
      await stopWaiting(tx, id);
      await recordEvent(tx, { ...about, action: 'SLACK_CHANNEL_DISABLED' });
    }
    return lockSlackChannel(tx, id);
  });
}

/** @throws DomainError 404 */
export function removeSlackChannel(tenant: Tenant, id: WebhookId): Promise<void> {
  return tenant.transaction(async (tx) => {
    if ((await tx.run(removeChannel, [tenant.orgId, id])).length === 0) throw notFound();
    await recordEvent(tx, { action: 'SLACK_CHANNEL_REMOVED', entity: 'webhook', entityId: id });
  });
}

function asChannel(row: ChannelRow): SlackChannel {
  const { id, name, language, disabledAt, disabledReason } = row;
  return {
    ...{ id, name, language },
    addressEnd: row.url.slice(shownStart.length),
    callEnded: row.events.includes('call.ended'),
    lowScore: row.highestScore,
    createdAt: row.createdAt.toISOString(),
    disabled:
      disabledAt && disabledReason
        ? { at: disabledAt.toISOString(), reason: disabledReason }
        : null,
  };
}
