import { z } from 'zod';
import type { OrgId, WebhookId } from '#domain/ids.ts';
import type { SlackRefusal } from '#domain/slack/contract.ts';
import { nextAttempt } from '#domain/webhooks/retries.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { mailAdmins } from '#server/mail/mail-admins.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { disabledEmail } from './disabled-email.ts';
import { stopWaiting } from './end-deliveries.ts';
import type { EndpointKind } from './request-of.ts';
import type { Attempt } from './send-delivery.ts';
import { attentionEmail } from './slack/attention-email.ts';
import { refusalOf } from './slack/refusal.ts';

/** A delivery that this process sends. */
export interface TakenDelivery {
  id: string;
  orgId: OrgId;
  endpointId: WebhookId;
  kind: EndpointKind;
  eventId: string;
  attempts: number;
  firstTryAt: Date;
}

/** A delivery of a process that ended meanwhile is made again after this time. Longer than the request's timeout. */
export const sendingSeconds = 60;
/** A delivery holds its place for so long at least, so that a quick receiver does not get all deliveries at once. */
const placeSeconds = 1;
const placeUntil = `case when sending_until > clock_timestamp() + interval '${sendingSeconds - placeSeconds} seconds'
        then sending_until - interval '${sendingSeconds - placeSeconds} seconds' end`;

const attemptId = z.uuid();

// Under the lock, an erasure is either seen, or finds the stored answer. What follows must read `sent`: otherwise it
// would run before the lock, which then finds no row.
const noted = `with sent as materialized (
    select id, sending_until from webhook_deliveries where org_id = $1 and id = $2 for no key update
  ), noted as (
    insert into webhook_attempts (id, org_id, delivery_id, started_at, duration_ms, status, failure, response)
    select $3, $1, id, $4, $5, $6, $7, case when sending_until is not null then $8 end from sent
  )`;
// What waited for one that has ended is due. Its time must change: whoever was about to put it off compares it
// (take_due_webhooks).
const nextIsDue = `
    update webhook_deliveries d set next_try_at = clock_timestamp()
    from ended cross join lateral (
      select n.id from webhook_deliveries n
      where n.org_id = $1 and n.endpoint_id = ended.endpoint_id and n.order_key = ended.order_key
        and n.state = 'waiting' and n.id <> $2
      order by n.place limit 1
    ) next
    where d.org_id = $1 and d.id = next.id`;
const finished = (name: string, state: 'delivered' | 'failed'): Statement => ({
  name,
  text: `${noted}, ended as (
      update webhook_deliveries set state = '${state}', finished_at = now(), sending_until = ${placeUntil},
        last_status = $6
      where org_id = $1 and id in (select id from sent)
      returning endpoint_id, order_key
    )${nextIsDue}`,
});
const delivered = finished('note_webhook_delivered', 'delivered');
const failed = finished('note_webhook_failed', 'failed');
const retried: Statement = {
  name: 'note_webhook_retry',
  text: `${noted}, paused as (
      update webhook_endpoints e set paused_until = $10
      from webhook_deliveries d
      where $10::timestamptz is not null and d.org_id = $1 and d.id = $2
        and e.org_id = $1 and e.id = d.endpoint_id
    )
    update webhook_deliveries set next_try_at = $9, sending_until = ${placeUntil}, last_status = $6
    where org_id = $1 and id in (select id from sent) and state = 'waiting'`,
};
const gone: Statement = {
  name: 'note_webhook_gone',
  text: `with ended as (
      update webhook_deliveries set state = 'gone', finished_at = now(), sending_until = ${placeUntil},
        attempts = attempts - 1
      where org_id = $1 and id = $2 and state = 'waiting'
      returning endpoint_id, order_key
    )${nextIsDue}`,
};
const disable: Statement = {
  name: 'disable_failing_webhook',
  text: `update webhook_endpoints set disabled_at = now(), disabled_reason = $3
    where org_id = $1 and id = $2 and disabled_at is null
      and ($3 <> 'failing' or not exists (
        select from webhook_deliveries d
        where d.org_id = $1 and d.endpoint_id = $2 and d.state = 'delivered' and d.finished_at > $4
      ))
    returning url`,
};

/** What it was about was deleted: there is nothing to send. */
export async function noteGone(tenant: Tenant, delivery: TakenDelivery): Promise<void> {
  await tenant.connection(({ run }) => run(gone, [tenant.orgId, delivery.id]));
}

/**
 * Stores an attempt and what follows: done, another attempt, or the end of the webhook, of which admins get a mail.
 * @param random from 0 to 1, varies the delay
 */
export async function noteAttempt(
  { config }: Pick<Services, 'config'>,
  tenant: Tenant,
  delivery: TakenDelivery,
  attempt: Attempt,
  random = Math.random(),
): Promise<void> {
  const { startedAt, durationMs, status, failure, response } = attempt;
  const values = [
    ...[tenant.orgId, delivery.id, newId(attemptId), startedAt, durationMs],
    ...[status, failure, response],
  ];
  if (status !== null && status >= 200 && status < 300) {
    await tenant.connection(({ run }) => run(delivered, values));
    return;
  }
  const now = new Date();
  const next = nextAttempt({
    firstTryAt: delivery.firstTryAt,
    attempt: delivery.attempts,
    retryAfterSeconds: attempt.retryAfterSeconds,
    now,
    random,
  });
  const refusal = refusalBy(delivery.kind, attempt);
  if (refusal === 'message') {
    await tenant.connection(({ run }) => run(failed, values));
    return;
  }
  if (next && refusal === null) {
    // The receiver's other deliveries wait, too.
    const asks = attempt.retryAfterSeconds !== null && (status === 429 || status === 503);
    await tenant.connection(({ run }) => run(retried, [...values, next, asks ? next : null]));
    return;
  }
  await tenant.transaction(async (tx) => {
    await tx.run(failed, values);
    await endWebhook(tx, delivery, refusal ?? 'failing', installationUrl(config));
  });
}

/** Returns why no further attempt is made; `message`: the receiver takes others, but not this one. */
function refusalBy(kind: EndpointKind, { status, response }: Attempt) {
  if (kind === 'standard') return status === 410 ? ('gone' as const) : null;
  return status === 400 ? ('message' as const) : refusalOf(status, response);
}

/** Disables the webhook, unless its receiver has accepted other events since the first attempt. */
async function endWebhook(
  tx: TenantConnection,
  { endpointId: id, kind, firstTryAt }: TakenDelivery,
  reason: 'failing' | 'gone' | SlackRefusal,
  home: string,
): Promise<void> {
  const values = [tx.tenant.orgId, id, reason, firstTryAt];
  const [ended] = await tx.run<{ url: string }>(disable, values);
  if (!ended) return;
  await stopWaiting(tx, id);
  await recordEvent(tx, {
    action: kind === 'slack' ? 'SLACK_CHANNEL_DISABLED' : 'WEBHOOK_DISABLED',
    entity: 'webhook',
    entityId: id,
    metadata: { reason },
  });
  await mailAdmins(tx, (language) =>
    reason === 'gone' || (reason === 'failing' && kind === 'standard')
      ? disabledEmail(language, { host: new URL(ended.url).host, reason, home })
      : attentionEmail(language, reason, home),
  );
}
