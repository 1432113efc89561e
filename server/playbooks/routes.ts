import * as contract from '#domain/playbooks/contract.ts';
import { nextPage } from '#server/platform/paging.ts';
import { answer, type Site, tenantRoute } from '#server/platform/route.ts';
import { createPlaybook, listPlaybooks } from './store.ts';

export function playbookRoutes(site: Site): void {
  tenantRoute(site, contract.listPlaybooks, async ({ tenant, query, request }) => {
    const body = await listPlaybooks(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.createPlaybook, async ({ tenant, body }) =>
    answer(201, await createPlaybook(tenant, body)),
  );
}
