import type { OrgId } from '#domain/ids.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { noteAttempt, noteGone, sendingSeconds, type TakenDelivery } from './note-attempt.ts';
import type { WebhookEvent } from './payload.ts';
import { bodyOf } from './request-of.ts';
import { unsealSecret } from './secret.ts';
import { type Attempt, send, signedHeaders } from './send-delivery.ts';

/** In progress of a webhook, by all processes. Each counts for a second at least (note-attempt.ts), so it is a rate, too. */
const mostPerWebhook = 50;
/** The same of all webhooks of an organization: two receivers that take a second each at their full rate. */
const mostPerOrganization = 100;
/** In progress in this process. */
const mostAtOnce = 500;
/** How often a process looks for deliveries while it has nothing to do. */
const idleMs = 1000;
/** At a stop, deliveries in progress are waited for so long; the rest are made again by the next process. */
const longestStopMs = 5000;
/** Completed deliveries are replaced together. */
const gatherMs = 20;

const takeDue: Statement = {
  name: 'take_due_webhooks',
  text: `select id, org_id as "orgId", endpoint_id as "endpointId", event_id as "eventId", attempts,
      first_try_at as "firstTryAt", kind, url, secret_sealed as "secretSealed",
      previous_secret_sealed as "previousSealed"
    from take_due_webhooks($1, $2, $3, $4)`,
};
const eventById: Statement = {
  name: 'webhook_event_by_id',
  text: `select id, type, subject_id as "subjectId", room_id as "roomId", call_id as "callId",
      created_at as "createdAt"
    from webhook_events where org_id = $1 and id = $2`,
};

// As it was when the delivery was taken.
const unchanged: Statement = {
  name: 'webhook_endpoint_is_unchanged',
  text: `select from webhook_endpoints where org_id = $1 and id = $2 and disabled_at is null
    and url = $3 and secret_sealed = $4`,
};

interface DueDelivery extends TakenDelivery {
  url: string;
  secretSealed: string;
  previousSealed: string | null;
}

const takeDueDeliveries = (database: Database, most: number): Promise<DueDelivery[]> =>
  database.background(({ run }) =>
    run<DueDelivery & Record<string, unknown>>(takeDue, [
      most,
      mostPerWebhook,
      mostPerOrganization,
      sendingSeconds,
    ]),
  );

export async function findEvent(tenant: Tenant, id: string): Promise<WebhookEvent | null> {
  const [event] = await tenant.connection(({ run }) =>
    run<WebhookEvent & Record<string, unknown>>(eventById, [tenant.orgId, id]),
  );
  return event ?? null;
}

export const webhookTenant = (database: Database, orgId: OrgId): Tenant =>
  tenantOf(database, { kind: 'system', name: 'webhooks', orgId }, null);

/** Makes one delivery and stores what became of it. */
async function deliver(services: Services, delivery: DueDelivery): Promise<void> {
  const tenant = webhookTenant(services.database, delivery.orgId);
  const attempt = await attemptTo(services, tenant, delivery);
  if (attempt === 'endpoint changed') return;
  if (attempt === null) await noteGone(tenant, delivery);
  else await noteAttempt(services, tenant, delivery, attempt);
}

/**
 * @returns null if what it was about was deleted; `endpoint changed` if the webhook was changed, switched off, or
 *   deleted meanwhile: what is still to be sent is taken again after `sendingSeconds`. What fails here, such as a secret that cannot be read, counts as an
 *   attempt, so that it is repeated later and later, and ends.
 */
async function attemptTo(
  services: Services,
  tenant: Tenant,
  delivery: DueDelivery,
): Promise<Attempt | 'endpoint changed' | null> {
  const startedAt = new Date();
  try {
    const event = await findEvent(tenant, delivery.eventId);
    const endpoint = { id: delivery.endpointId, kind: delivery.kind };
    const body = event && (await bodyOf(services.config, tenant, event, endpoint));
    if (!event || body === null) return null;
    // Last: looking for what to send may have waited.
    if (!(await isUnchanged(tenant, delivery))) return 'endpoint changed';
    return await send(services.outside.fetch, {
      ...addressed(services, delivery, event.id, body),
      payer: tenant.orgId,
    });
  } catch (error) {
    services.log.warn({ err: error, deliveryId: delivery.id }, 'a webhook could not be sent');
    const durationMs = Date.now() - startedAt.getTime();
    const nothing = { status: null, response: null, retryAfterSeconds: null };
    return { startedAt, durationMs, failure: 'internal', ...nothing };
  }
}

async function isUnchanged(
  tenant: Tenant,
  { endpointId, url, secretSealed }: DueDelivery,
): Promise<boolean> {
  const values = [tenant.orgId, endpointId, url, secretSealed];
  return (await tenant.connection(({ run }) => run(unchanged, values))).length > 0;
}

/** Returns the request: signed, or to an address that is itself the secret. */
function addressed(
  { secrets }: Services,
  { kind, url, endpointId, secretSealed, previousSealed }: DueDelivery,
  id: string,
  body: string,
) {
  const [secret = '', ...former] = [secretSealed, previousSealed]
    .filter((one) => one !== null)
    .map((one) => unsealSecret(secrets, endpointId, one));
  if (kind === 'slack') return { url: secret, body, headers: {} };
  return {
    url,
    body,
    headers: signedHeaders({ id, body, secrets: [secret, ...former] }, new Date()),
  };
}

export interface Delivering {
  /** Waits a moment for the deliveries in progress. */
  stop(): Promise<void>;
}

/**
 * Makes deliveries as they become due, in this process. Others may do the same: each delivery is claimed in the
 * database, and claimed again if its process ends.
 */
export function startDelivering(services: Services): Delivering {
  const inProgress = new Set<Promise<void>>();
  let wake: () => void = () => undefined;
  let isStopping = false;
  /** A delivery has ended since the last look. */
  let hasFreed = false;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const begin = (delivery: DueDelivery) => {
    const work = deliver(services, delivery)
      .catch((error) => {
        // It is due again after `sendingSeconds`.
        const about = { err: error, deliveryId: delivery.id };
        services.log.warn(about, 'a webhook could not be delivered');
      })
      .finally(() => {
        inProgress.delete(work);
        hasFreed = true;
        wake();
      });
    inProgress.add(work);
  };

  const run = async () => {
    while (!isStopping) {
      hasFreed = false;
      const free = mostAtOnce - inProgress.size;
      const taken = free > 0 ? await takeDueDeliveries(services.database, free) : [];
      for (const delivery of taken) begin(delivery);
      if (!hasFreed) await pause(idleMs);
      if (!isStopping) await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
  };
  const keepRunning = async () => {
    while (!isStopping)
      await run().catch(async (error) => {
        services.log.error({ err: error }, 'due webhooks could not be looked for');
        await pause(idleMs);
      });
  };
  const running = keepRunning();
  return {
    stop: async () => {
      isStopping = true;
      wake();
      await running;
      const wait = new Promise((resolve) => setTimeout(resolve, longestStopMs).unref());
      await Promise.race([Promise.all(inProgress), wait]);
    },
  };
}

/** Makes what is due now, and waits for it; for tests. @returns the number of deliveries */
export async function deliverDue(services: Services): Promise<number> {
  const taken = await takeDueDeliveries(services.database, mostAtOnce);
  await Promise.all(taken.map((delivery) => deliver(services, delivery)));
  return taken.length;
}
