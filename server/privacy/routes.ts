import type { Readable } from 'node:stream';
import { invalid, notFound } from '#domain/errors.ts';
import * as contract from '#domain/privacy/contract.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { answer, type Site, sessionRoute, tenantRoute } from '#server/http/route.ts';
import { clearSessionCookie } from '#server/http/session-cookie.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { cancelDeletion, readDeletion, requestDeletion } from './delete-organization.ts';
import { deleteSelf } from './delete-self.ts';
import { eraseGuest, eraseMember } from './erase-person.ts';
import { exportGuest, exportMember, exportSelf } from './export-person.ts';
import { processorsOf } from './processors.ts';
import { readRetention, updateRetention } from './retention-store.ts';

export function privacyRoutes(site: Site): void {
  const exporting = limit(site, 'exports', 30, 600);
  const erasing = limit(site, 'erasures', 30, 600);
  const deleting = limit(site, 'deletions', 20, 600);

  tenantRoute(site, contract.readPrivacy, async ({ tenant }) =>
    answer(200, {
      ...(await tenant.connection(async (at) => ({
        retention: await readRetention(at),
        deletion: await readDeletion(at),
      }))),
      processors: processorsOf(site.config),
    }),
  );

  tenantRoute(site, contract.updateRetention, async ({ tenant, body }) =>
    answer(200, await updateRetention(tenant, body)),
  );

  tenantRoute(site, contract.exportPerson, async ({ tenant, query, user }) => {
    exporting(user.id);
    const { userId, guest } = query;
    if (userId) return download(await exportMember(site, tenant, userId));
    if (guest) return download(await exportGuest(tenant, guest));
    throw invalid('no_person', 'Please choose one person', 'guest');
  });

  tenantRoute(site, contract.erasePerson, async ({ tenant, body, user }) => {
    erasing(user.id);
    const { userId, guest = '' } = body;
    if (!userId) return answer(200, { erased: await eraseGuest(tenant, guest) });
    await eraseMember(site, tenant, userId);
    return answer(200, { erased: 1 });
  });

  sessionRoute(site, contract.exportSelf, async ({ user, session, request }) => {
    exporting(user.id);
    return download(await exportSelf(site, { user, session }, request.ip));
  });

  sessionRoute(site, contract.deleteSelf, async ({ user, session, body, request, reply }) => {
    deleting(user.id);
    await deleteSelf(site, request, { user, session }, body);
    clearSessionCookie(request, reply);
    return answer(204, null);
  });

  tenantRoute(site, contract.requestDeletion, async (given) => {
    const { tenant, params, body, session, request } = given;
    if (params.orgId !== tenant.orgId) throw notFound();
    refuseStale(session);
    const base = publicUrl(site.config, request);
    return answer(200, await requestDeletion(tenant, { name: body.name, base }));
  });

  tenantRoute(site, contract.cancelDeletion, async ({ tenant, params }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    await cancelDeletion(tenant);
    return answer(204, null);
  });
}

const download = (content: Readable) =>
  answer(200, content, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="person-${new Date().toISOString().slice(0, 10)}.json"`,
    'cache-control': 'no-store',
  });
