import { notFound } from '#domain/errors.ts';
import * as contract from '#domain/recaps/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import * as store from './store.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

/** Of the form that a mail program posts. */
const longestForm = 4096;

export async function recapRoutes(site: Site): Promise<void> {
  tenantRoute(site, contract.readRecapSettings, async ({ tenant, user }) =>
    answer(200, await store.readRecapSettings(tenant, user.id)),
  );
  tenantRoute(site, contract.changeRecapSettings, async ({ tenant, user, body }) =>
    answer(200, await store.changeRecapSettings(tenant, user.id, body.recipients)),
  );
  tenantRoute(site, contract.changeOwnRecaps, async ({ tenant, user, body }) =>
    answer(200, await store.changeOwnRecaps(tenant, user.id, body.isOptedOut)),
  );
  await unsubscribeRoutes(site);
}

/**
 * Mail programs end a person's recaps by one POST without a session (RFC 8058). Following the link does not, because
 * programs that look for malware follow it, too: it leads to the profile.
 */
async function unsubscribeRoutes({ http, database, secrets }: Site): Promise<void> {
  await http.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    // The form says nothing that the address does not.
    raw.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));
    const path = '/unsubscribe/recaps/:token';
    const route = {
      schema: { hide: true },
      bodyLimit: longestForm,
      config: {
        rateLimit: { name: 'unsubscribe', most: 300, windowSeconds: 600 },
        fromElsewhere: true,
      },
    };
    raw.post<{ Params: { token: string } }>(path, route, async ({ params }, reply) => {
      const named = readUnsubscribeToken(secrets, params.token);
      if (!named) throw notFound();
      const actor = { kind: 'system', name: 'unsubscribe', orgId: named.orgId } as const;
      await store.changeOwnRecaps(tenantOf(database, actor, null), named.accountId, true);
      return reply.code(200).type('text/plain; charset=utf-8').send('Unsubscribed\n');
    });
    raw.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.redirect('/app/settings/profile', 303),
    );
  });
}
