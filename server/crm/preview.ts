import type { z } from 'zod';
import { cut } from '#domain/crm/call-text.ts';
import type { crmPreview } from '#domain/crm/contract.ts';
import type { CrmMapping } from '#domain/crm/mapping.ts';
import type { CallId, CrmConnectionId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { requireCrm } from './connect.ts';
import { vendorOf } from './connection-store.ts';
import { readLoggedCall } from './logged-call.ts';

const newestCall: Statement = {
  name: 'newest_call_for_crm',
  text: `select c.id from (
      select id, room_id, ended_at from calls where org_id = $1 order by id desc limit 100
    ) c join rooms r on r.org_id = $1 and r.id = c.room_id
    where c.ended_at is not null and r.sample_set_id is null order by c.id desc limit 1`,
};

/** Of one field. */
const mostShown = 2000;

/** @throws DomainError 404, 409 if the CRM is not configured */
export async function previewMapping(
  services: Services,
  tenant: Tenant,
  id: CrmConnectionId,
  mapping: CrmMapping,
): Promise<z.infer<typeof crmPreview>> {
  const crm = requireCrm(services, tenant.orgId, await vendorOf(tenant, id));
  const logged = await tenant.connection(async (at) => {
    const [newest] = await at.run<{ id: CallId }>(newestCall, [tenant.orgId]);
    return newest && readLoggedCall(at, newest.id, installationUrl(services.config));
  });
  if (!logged) return { topic: null, fields: [], tasks: [] };
  const { call, items } = logged;
  const fields = Object.entries(crm.callFields(call, mapping));
  return {
    topic: call.topic,
    fields: fields.map(([name, value]) => ({ name, value: cut(String(value ?? ''), mostShown) })),
    tasks: mapping.actionItems.isSent ? items.map(({ title }) => title) : [],
  };
}
