import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RateLimit } from '#domain/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { ssoConnectionId } from '#domain/ids.ts';
import type { SsoCheck } from '#domain/sso/contract.ts';
import type { Site } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { SsoRefusal } from './asserted.ts';
import { browserSecret } from './browser-cookie.ts';
import { addressesOf, findConnection, organizationOfConnection } from './connection-store.ts';
import { finishOidc } from './finish-oidc.ts';
import { finishSaml, receiveResponse } from './finish-saml.ts';
import type { Landing } from './landing.ts';
import { ourMetadata } from './saml-metadata.ts';

const byId = z.object({ id: z.string() });
interface ById {
  Params: z.infer<typeof byId>;
}
/** Bytes of a signed response with some hundred groups, as base64 in a form. */
const longestForm = 256_000;
/** Responses of identity providers per address, counted before the form is read. */
const answers: RateLimit = { name: 'sso_answer', most: 120, windowSeconds: 60 };
const hidden = { schema: { hide: true } };

/** Registers the endpoints to which identity providers send browsers. They are outside the API. */
export function ssoProtocolRoutes(site: Site): void {
  const { http } = site;
  const arriving = limit(site, 'sso', 60, 60);

  const land = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    handle: (landing: Landing) => Promise<string>,
  ) => {
    reply.header('cache-control', 'no-store');
    try {
      arriving(request.ip);
      const found = await openConnection(site, request, id);
      const base = publicUrl(site.config, request);
      const browser = browserSecret(request);
      return reply.redirect(await handle({ site, ...found, base, request, reply, browser }), 303);
    } catch (error) {
      return reply.redirect(refusedPath(site, request, error), 303);
    }
  };

  http.get<ById>('/sso/oidc/:id/callback', hidden, (request, reply) =>
    land(request, reply, request.params.id, finishOidc),
  );

  http.get<ById>('/sso/saml/:id/finish', hidden, (request, reply) =>
    land(request, reply, request.params.id, finishSaml),
  );

  http.get<ById>('/sso/saml/:id/metadata', hidden, async (request, reply) => {
    arriving(request.ip);
    const { connection } = await existing(site, request, request.params.id);
    const { answerUrl, ourEntityId } = addressesOf(connection, publicUrl(site.config, request));
    return reply
      .type('application/samlmetadata+xml')
      .header('content-disposition', 'attachment; filename="rapport-metadata.xml"')
      .send(ourMetadata(ourEntityId ?? '', answerUrl));
  });

  // The only form that other sites post. `fromElsewhere` exempts it from the cross-site check.
  void http.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const fromElsewhere = {
      ...hidden,
      bodyLimit: longestForm,
      config: { fromElsewhere: true, rateLimit: answers },
      // A browser sends no cookie with this form, so the networks of all senders take turns.
      onRequest: placeBy(async (request) => {
        const { id } = byId.parse(request.params);
        const { connection } = await existing(site, request, id);
        if (connection.kind !== 'saml') throw notFound();
        return networkKey(request.ip);
      }),
    };
    forms.post<ById>('/sso/saml/:id/acs', fromElsewhere, (request, reply) =>
      holdPlace(request, () => land(request, reply, request.params.id, receiveResponse)),
    );
  });
}

async function openConnection(site: Site, request: FastifyRequest, given: string) {
  const id = ssoConnectionId.safeParse(given);
  const orgId = id.success ? await organizationOfConnection(site.database, id.data) : null;
  if (!id.success || orgId === null)
    throw new SsoRefusal('request', 'There is no such connection.');
  const system = { kind: 'system' as const, name: 'sso', orgId };
  const tenant = tenantOf(site.database, system, request.ip);
  const connection = await findConnection(tenant, id.data);
  return { tenant, connection };
}

/** @throws DomainError 404 */
const existing = (site: Site, request: FastifyRequest, given: string) =>
  openConnection(site, request, given).catch((error) => {
    throw error instanceof SsoRefusal ? notFound() : error;
  });

/** The sign-in page only shows what to do next; the exact reason is in the log and the audit log. */
const reasons: Partial<Record<SsoCheck, string>> = {
  request: 'expired',
  replay: 'expired',
  email: 'email',
  domain: 'domain',
  account: 'account',
};

function refusedPath(site: Site, request: FastifyRequest, error: unknown): string {
  if (error instanceof SsoRefusal) return `/auth?sso=${reasons[error.check] ?? 'failed'}`;
  if (error instanceof DomainError) return '/auth?sso=failed';
  site.log.error({ err: error, reqId: request.id }, 'single sign-on broke');
  return '/auth?sso=failed';
}
