import { DomainError, invalid } from '#domain/errors.ts';
import * as contract from '#domain/webhooks/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import * as deliveries from './deliveries.ts';
import * as store from './store.ts';

export function webhookRoutes(site: Site): void {
  /** Of one person: each makes a request to an address, or a look-up of a name. */
  const sending = limit(site, 'webhooks', 60, 600);
  const { secrets, outside } = site;

  /** @throws DomainError 400, about the field */
  const checkUrl = (url: string) =>
    outside.checkTarget(url).catch((error: unknown) => {
      throw error instanceof DomainError ? invalid(error.code, error.message, 'url') : error;
    });

  tenantRoute(site, contract.listWebhooks, async ({ tenant }) =>
    answer(200, await store.listWebhooks(tenant)),
  );
  tenantRoute(site, contract.createWebhook, async ({ tenant, user, body, request }) => {
    sending(user.id);
    await checkUrl(body.url);
    const home = publicUrl(site.config, request);
    return answer(201, await store.createWebhook(tenant, secrets, body, home));
  });
  tenantRoute(site, contract.updateWebhook, async ({ tenant, user, params, body, request }) => {
    sending(user.id);
    if (body.url !== undefined) await checkUrl(body.url);
    const home = publicUrl(site.config, request);
    return answer(200, await store.updateWebhook(tenant, params.id, body, home));
  });
  tenantRoute(site, contract.deleteWebhook, async ({ tenant, params }) => {
    await store.deleteWebhook(tenant, params.id);
    return answer(204, null);
  });
  tenantRoute(site, contract.rotateWebhookSecret, async ({ tenant, user, params }) => {
    sending(user.id);
    return answer(201, await store.rotateWebhookSecret(tenant, secrets, params.id));
  });
  tenantRoute(site, contract.testWebhook, async ({ tenant, user, params }) => {
    sending(user.id);
    return answer(201, await deliveries.sendTest(tenant, params.id));
  });

  tenantRoute(site, contract.listWebhookDeliveries, async ({ tenant, params, query, request }) => {
    const body = await deliveries.listDeliveries(tenant, params.id, query);
    return answer(200, body, nextPage(request, query, body));
  });
  tenantRoute(site, contract.readWebhookDelivery, async ({ tenant, params }) =>
    answer(200, await deliveries.readDelivery(site, tenant, params.id)),
  );
  tenantRoute(site, contract.replayWebhookDelivery, async ({ tenant, user, params }) => {
    sending(user.id);
    return answer(200, await deliveries.replayDelivery(tenant, params.id));
  });
}
