import { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import {
  greatestId,
  type WebhookDeliveryId,
  type WebhookId,
  webhookDeliveryId,
} from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { DeliveryDetails, WebhookDelivery } from '#domain/webhooks/contract.ts';
import { testEventType } from '#domain/webhooks/event-types.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Services } from '#server/services.ts';
import { findEvent, webhookTenant } from './deliver-due.ts';
import { bodyOf, type EndpointKind } from './request-of.ts';
import { lockSlackChannel } from './slack/store.ts';
import { readWebhook } from './store.ts';

interface DeliveryRow {
  id: WebhookDeliveryId;
  eventId: string;
  type: WebhookDelivery['type'];
  createdAt: Date;
  state: WebhookDelivery['state'];
  attempts: number;
  lastStatus: number | null;
  nextTryAt: Date | null;
}

interface AddressedRow extends DeliveryRow {
  url: string;
  kind: EndpointKind;
  endpointId: WebhookId;
}

const columns = `d.id, d.event_id as "eventId", e.type, d.created_at as "createdAt", d.state, d.attempts,
    d.last_status as "lastStatus", case when d.state = 'waiting' then d.next_try_at end as "nextTryAt"`;
const joined =
  'from webhook_deliveries d join webhook_events e on e.org_id = d.org_id and e.id = d.event_id';
const pageOfWebhook: Statement = {
  name: 'deliveries_of_webhook',
  text: `select ${columns} ${joined}
    where d.org_id = $1 and d.endpoint_id = $2 and d.id < $3 order by d.id desc limit $4`,
};
const endpointExists: Statement = {
  name: 'webhook_endpoint_exists',
  text: 'select 1 from webhook_endpoints where org_id = $1 and id = $2',
};
const deliveryById: Statement = {
  name: 'webhook_delivery_by_id',
  text: `select ${columns}, w.url, w.kind, w.id as "endpointId" ${joined}
      join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
    where d.org_id = $1 and d.id = $2`,
};
const attemptsOfDelivery: Statement = {
  name: 'attempts_of_webhook_delivery',
  text: `select id, started_at as at, duration_ms as "durationMs", status, failure, response
    from webhook_attempts where org_id = $1 and delivery_id = $2 order by id desc limit 50`,
};
const lockDelivery: Statement = {
  name: 'lock_webhook_delivery',
  text: `select d.state, d.endpoint_id as "endpointId", w.disabled_at is null as "isEnabled"
    from webhook_deliveries d join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
    where d.org_id = $1 and d.id = $2 for no key update of d`,
};
const replay: Statement = {
  name: 'replay_webhook_delivery',
  text: `update webhook_deliveries set state = 'waiting', finished_at = null, attempts = 0,
      first_try_at = null, last_status = null, next_try_at = clock_timestamp()
    where org_id = $1 and id = $2`,
};
const insertTest: Statement = {
  name: 'insert_test_webhook',
  text: `with event as (
      insert into webhook_events (id, org_id, type, subject_id) values ($3, $1, '${testEventType}', $2)
    )
    insert into webhook_deliveries (id, org_id, endpoint_id, event_id, order_key)
    values ($4, $1, $2, $3, $3)`,
};

type AttemptRow = Omit<DeliveryDetails['log'][number], 'at'> & { at: Date };

/** @throws DomainError 404 */
export function listDeliveries(
  tenant: Tenant,
  id: WebhookId,
  { before, limit }: PageQuery,
): Promise<WebhookDelivery[]> {
  return tenant.connection(async (at) => {
    if ((await at.run(endpointExists, [tenant.orgId, id])).length === 0) throw notFound();
    const values = [tenant.orgId, id, before ?? greatestId, limit];
    const rows = await at.run<DeliveryRow & Record<string, unknown>>(pageOfWebhook, values);
    return rows.map(asDelivery);
  });
}

/** @throws DomainError 404 */
export async function readDelivery(
  { config, database }: Pick<Services, 'config' | 'database'>,
  tenant: Tenant,
  id: WebhookDeliveryId,
): Promise<DeliveryDetails> {
  const { row, log } = await tenant.connection(async (at) => ({
    row: await rowOf(at, id),
    log: await at.run<AttemptRow & Record<string, unknown>>(attemptsOfDelivery, [tenant.orgId, id]),
  }));
  const event = await findEvent(tenant, row.eventId);
  const { kind, endpointId } = row;
  const system = webhookTenant(database, tenant.orgId);
  const body = event && (await bodyOf(config, system, event, { id: endpointId, kind }));
  return {
    ...asDelivery(row),
    request: { url: row.url, body },
    log: log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  };
}

/**
 * Makes a delivery again, with retries. One that waits for its next attempt is made now.
 * @throws DomainError 404, 409 if the webhook is disabled
 */
export function replayDelivery(tenant: Tenant, id: WebhookDeliveryId): Promise<WebhookDelivery> {
  return tenant.transaction(async (tx) => {
    const [locked] = await tx.run<{ endpointId: WebhookId; isEnabled: boolean }>(lockDelivery, [
      tenant.orgId,
      id,
    ]);
    if (!locked) throw notFound();
    if (!locked.isEnabled) throw isDisabled();
    await tx.run(replay, [tenant.orgId, id]);
    await recordEvent(tx, {
      action: 'WEBHOOK_REPLAYED',
      entity: 'webhook',
      entityId: locked.endpointId,
      metadata: { deliveryId: id },
    });
    return asDelivery(await rowOf(tx, id));
  });
}

/** @throws DomainError 404, 409 if the webhook is disabled */
export function sendTest(
  tenant: Tenant,
  id: WebhookId,
  kind: EndpointKind = 'standard',
): Promise<WebhookDelivery> {
  return tenant.transaction(async (tx) => {
    const { disabled } = await (kind === 'slack' ? lockSlackChannel : readWebhook)(tx, id);
    if (disabled) throw isDisabled();
    const delivery = newId(webhookDeliveryId);
    await tx.run(insertTest, [tenant.orgId, id, newId(z.uuid()), delivery]);
    await recordEvent(tx, { action: 'WEBHOOK_TESTED', entity: 'webhook', entityId: id });
    return asDelivery(await rowOf(tx, delivery));
  });
}

const isDisabled = () =>
  new DomainError('conflict', 'webhook_disabled', 'This webhook is disabled. Enable it first.');

async function rowOf({ run, tenant }: TenantConnection, id: WebhookDeliveryId) {
  const values = [tenant.orgId, id];
  const [row] = await run<AddressedRow & Record<string, unknown>>(deliveryById, values);
  if (!row) throw notFound();
  return row;
}

const asDelivery = ({ id, eventId, type, createdAt, state, ...row }: DeliveryRow) => ({
  ...{ id, eventId, type, state, attempts: row.attempts, lastStatus: row.lastStatus },
  createdAt: createdAt.toISOString(),
  nextTryAt: row.nextTryAt?.toISOString() ?? null,
});
