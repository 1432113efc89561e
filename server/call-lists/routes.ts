import * as contract from '#domain/calls/contract.ts';
import { isFiltered } from '#domain/calls/filter.ts';
import { listCalls } from '#server/calls/store.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { continuedBy, nextPage } from '#server/platform/paging.ts';
import { readCallChoices } from './call-choices.ts';
import { countCalls } from './count-calls.ts';
import { listFilteredCalls } from './filter-calls.ts';

export function callListRoutes(site: Site): void {
  tenantRoute(site, contract.listCalls, async ({ tenant, query, request }) => {
    if (isFiltered(query)) {
      const { page, next } = await listFilteredCalls(tenant, query);
      return answer(200, page, next ? continuedBy(request, next) : {});
    }
    const { page, isCut } = await listCalls(tenant, query);
    return answer(200, page, nextPage(request, query, page, isCut));
  });

  tenantRoute(site, contract.countCalls, async ({ tenant, query }) =>
    answer(200, await countCalls(tenant, query)),
  );

  tenantRoute(site, contract.readCallChoices, async ({ tenant, query }) =>
    answer(200, await readCallChoices(tenant, query)),
  );
}
