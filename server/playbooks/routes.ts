import type { ParamsOf } from '#domain/contract.ts';
import * as contract from '#domain/playbooks/contract.ts';
import type { Represented } from '#server/http/entity-tags.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import {
  archivePlaybook,
  holdPlaybook,
  restorePlaybook,
  updatePlaybook,
} from './change-playbook.ts';
import { readPlaybookUse } from './playbook-use.ts';
import { createPlaybook, findPlaybook, listPlaybooks } from './store.ts';

export function playbookRoutes(site: Site): void {
  const represented: Represented<ParamsOf<typeof contract.readPlaybook>> = {
    reading: contract.readPlaybook,
    hold: (tx, { id }) => holdPlaybook(tx, id),
  };

  tenantRoute(site, contract.listPlaybooks, async ({ tenant, query, request }) => {
    const { page, isCut } = await listPlaybooks(tenant, query);
    return answer(200, page, nextPage(request, query, page, isCut));
  });

  tenantRoute(site, contract.createPlaybook, async ({ tenant, body }) =>
    answer(201, await createPlaybook(tenant, body)),
  );

  tenantRoute(site, contract.readPlaybook, async ({ tenant, params }) =>
    answer(200, await findPlaybook(tenant, params.id)),
  );

  tenantRoute(site, contract.readPlaybookUse, async ({ tenant, params }) =>
    answer(200, await readPlaybookUse(tenant, params.id)),
  );

  tenantRoute(
    site,
    contract.updatePlaybook,
    async ({ tenant, params, body }) => answer(200, await updatePlaybook(tenant, params.id, body)),
    represented,
  );

  tenantRoute(
    site,
    contract.archivePlaybook,
    async ({ tenant, params }) => answer(200, await archivePlaybook(tenant, params.id)),
    represented,
  );

  tenantRoute(
    site,
    contract.restorePlaybook,
    async ({ tenant, params }) => answer(200, await restorePlaybook(tenant, params.id)),
    represented,
  );
}
