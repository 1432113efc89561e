import type { BodyOf } from '#domain/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type WebhookId, webhookId } from '#domain/ids.ts';
import {
  type createWebhook as createWebhookContract,
  type MadeWebhook,
  mostWebhooks,
  secretOverlapHours,
  type updateWebhook as updateWebhookContract,
  type Webhook,
} from '#domain/webhooks/contract.ts';
import type { WebhookEventType } from '#domain/webhooks/event-types.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { tellOfDestination } from '#server/auth/tell-of-destination.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { isMadeByAdmin } from '#server/team/is-admin.ts';
import { stopWaiting } from './end-deliveries.ts';
import { newSecret, sealSecret } from './secret.ts';

interface WebhookRow {
  id: WebhookId;
  url: string;
  description: string;
  events: WebhookEventType[];
  createdAt: Date;
  isOfAdmin: boolean;
  disabledAt: Date | null;
  disabledReason: 'member' | 'failing' | 'gone' | null;
  previousSecretUntil: Date | null;
  waitingCount: number;
}

const selectWebhooks = (condition: string) => `select e.id, e.url, e.description, e.events,
    e.created_at as "createdAt", e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason",
    case when e.previous_secret_expires_at > now() then e.previous_secret_expires_at end
      as "previousSecretUntil",
    ${isMadeByAdmin('e')} as "isOfAdmin",
    (select count(*)::integer from (
      select 1 from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting' limit 1000
    ) waiting) as "waitingCount"
  from webhook_endpoints e where e.kind = 'standard' and ${condition} order by e.id`;
const allWebhooks: Statement = {
  name: 'webhooks_of_organization',
  text: selectWebhooks('e.org_id = $1'),
};
const oneWebhook: Statement = {
  name: 'webhook_by_id',
  text: selectWebhooks('e.org_id = $1 and e.id = $2'),
};
const countWebhooks: Statement = {
  name: 'count_webhooks',
  text: `select count(*)::integer as n from webhook_endpoints where org_id = $1 and kind = 'standard'`,
};
const insertWebhook: Statement = {
  name: 'insert_webhook',
  text: `insert into webhook_endpoints (id, org_id, url, description, events, secret_sealed, created_by)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};
const lockWebhook: Statement = {
  name: 'lock_webhook',
  text: `select url, disabled_at is null as "isEnabled" from webhook_endpoints
    where org_id = $1 and id = $2 and kind = 'standard' for no key update`,
};
const changeWebhook: Statement = {
  name: 'change_webhook',
  text: `update webhook_endpoints set url = coalesce($3, url), description = coalesce($4, description),
      events = coalesce($5, events), created_by = $6,
      paused_until = case when $3 is null then paused_until end
    where org_id = $1 and id = $2`,
};
const enableWebhook: Statement = {
  name: 'enable_webhook',
  text: `update webhook_endpoints set disabled_at = null, disabled_by = null, disabled_reason = null,
      paused_until = null
    where org_id = $1 and id = $2`,
};
const disableWebhook: Statement = {
  name: 'disable_webhook',
  text: `update webhook_endpoints set disabled_at = now(), disabled_by = $3, disabled_reason = 'member'
    where org_id = $1 and id = $2`,
};
const removeWebhook: Statement = {
  name: 'delete_webhook',
  text: `delete from webhook_endpoints where org_id = $1 and id = $2 and kind = 'standard' returning id`,
};
const rotateSecret: Statement = {
  name: 'rotate_webhook_secret',
  text: `update webhook_endpoints set previous_secret_sealed = secret_sealed,
      previous_secret_expires_at = now() + interval '${secretOverlapHours} hours', secret_sealed = $3
    where org_id = $1 and id = $2 and kind = 'standard' returning id`,
};

export const listWebhooks = (tenant: Tenant): Promise<Webhook[]> =>
  tenant.connection(async ({ run }) =>
    (await run<WebhookRow & Record<string, unknown>>(allWebhooks, [tenant.orgId])).map(asWebhook),
  );

/** @throws DomainError 404 */
export async function readWebhook(at: TenantConnection, id: WebhookId): Promise<Webhook> {
  const values = [at.tenant.orgId, id];
  const [row] = await at.run<WebhookRow & Record<string, unknown>>(oneWebhook, values);
  if (!row) throw notFound();
  return asWebhook(row);
}

/**
 * @param home the server's public URL, for the mail to the other admins, as below
 * @throws DomainError 409
 */
export function createWebhook(
  tenant: Tenant,
  secrets: Secrets,
  body: BodyOf<typeof createWebhookContract>,
  home: string,
): Promise<MadeWebhook> {
  const { orgId } = tenant;
  const { url, description, events } = body;
  const secret = newSecret();
  return tenant.transaction(async (tx) => {
    await lockOrganization(tx);
    const [stored] = await tx.run<{ n: number }>(countWebhooks, [orgId]);
    if ((stored?.n ?? 0) >= mostWebhooks) throw tooMany();
    const id = newId(webhookId);
    const values = [id, orgId, url, description, events, sealSecret(secrets, id, secret)];
    await tx.run(insertWebhook, [...values, actingAccount(tenant)]);
    const event = { action: 'WEBHOOK_CREATED', entity: 'webhook', entityId: id } as const;
    await recordEvent(tx, { ...event, metadata: { events } });
    await tellOfDestination(tx, { kind: 'webhook', address: url, isNew: true }, home);
    return { ...(await readWebhook(tx, id)), secret };
  });
}

const tooMany = () =>
  new DomainError(
    'conflict',
    'most_webhooks',
    `Your organization has ${mostWebhooks} webhooks already. Delete one first.`,
  );

/** @throws DomainError 404 */
export function updateWebhook(
  tenant: Tenant,
  id: WebhookId,
  { isEnabled, ...fields }: BodyOf<typeof updateWebhookContract>,
  home: string,
): Promise<Webhook> {
  const key = [tenant.orgId, id];
  return tenant.transaction(async (tx) => {
    const [before] = await tx.run<{ url: string; isEnabled: boolean }>(lockWebhook, key);
    if (!before) throw notFound();
    const { url = null, description = null, events = null } = fields;
    if (url !== null || description !== null || events !== null) {
      // Who changes it confirms its address.
      await tx.run(changeWebhook, [...key, url, description, events, actingAccount(tenant)]);
      const event = { action: 'WEBHOOK_UPDATED', entity: 'webhook', entityId: id } as const;
      await recordEvent(tx, { ...event, metadata: { fields: Object.keys(fields) } });
    }
    if (url !== null && url !== before.url)
      await tellOfDestination(tx, { kind: 'webhook', address: url, isNew: false }, home);
    if (isEnabled === true && !before.isEnabled) {
      await tx.run(enableWebhook, key);
      await recordEvent(tx, { action: 'WEBHOOK_ENABLED', entity: 'webhook', entityId: id });
    }
    if (isEnabled === false && before.isEnabled) {
      await tx.run(disableWebhook, [...key, actingAccount(tenant)]);
      await stopWaiting(tx, id);
      await recordEvent(tx, { action: 'WEBHOOK_DISABLED', entity: 'webhook', entityId: id });
    }
    return readWebhook(tx, id);
  });
}

/** @throws DomainError 404 */
export function deleteWebhook(tenant: Tenant, id: WebhookId): Promise<void> {
  return tenant.transaction(async (tx) => {
    if ((await tx.run(removeWebhook, [tenant.orgId, id])).length === 0) throw notFound();
    await recordEvent(tx, { action: 'WEBHOOK_DELETED', entity: 'webhook', entityId: id });
  });
}

/** Makes a new secret. The old one signs, too, for `secretOverlapHours`. @throws DomainError 404 */
export function rotateWebhookSecret(
  tenant: Tenant,
  secrets: Secrets,
  id: WebhookId,
): Promise<MadeWebhook> {
  const secret = newSecret();
  return tenant.transaction(async (tx) => {
    const values = [tenant.orgId, id, sealSecret(secrets, id, secret)];
    if ((await tx.run(rotateSecret, values)).length === 0) throw notFound();
    await recordEvent(tx, { action: 'WEBHOOK_SECRET_ROTATED', entity: 'webhook', entityId: id });
    return { ...(await readWebhook(tx, id)), secret };
  });
}

function asWebhook(row: WebhookRow): Webhook {
  const { disabledAt, disabledReason } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    createdAt: row.createdAt.toISOString(),
    isOfAdmin: row.isOfAdmin,
    disabled:
      disabledAt && disabledReason
        ? { at: disabledAt.toISOString(), reason: disabledReason }
        : null,
    previousSecretUntil: row.previousSecretUntil?.toISOString() ?? null,
    waitingCount: row.waitingCount,
  };
}
