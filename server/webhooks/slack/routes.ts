import * as contract from '#domain/slack/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { sendTest } from '../deliveries.ts';
import * as store from './store.ts';

export function slackRoutes(site: Site): void {
  /** Of one person. */
  const testing = limit(site, 'slack-tests', 20, 600);
  const { secrets } = site;
  tenantRoute(site, contract.listSlackChannels, async ({ tenant }) =>
    answer(200, await store.listSlackChannels(tenant)),
  );
  tenantRoute(site, contract.addSlackChannel, async ({ tenant, body, request }) => {
    const home = publicUrl(site.config, request);
    return answer(201, await store.addSlackChannel(tenant, secrets, body, home));
  });
  tenantRoute(site, contract.updateSlackChannel, async ({ tenant, params, body, request }) => {
    const home = publicUrl(site.config, request);
    return answer(200, await store.updateSlackChannel(tenant, secrets, params.id, body, home));
  });
  tenantRoute(site, contract.removeSlackChannel, async ({ tenant, params }) => {
    await store.removeSlackChannel(tenant, params.id);
    return answer(204, null);
  });
  tenantRoute(site, contract.testSlackChannel, async ({ tenant, user, params }) => {
    testing(user.id);
    return answer(201, await sendTest(tenant, params.id, 'slack'));
  });
}
