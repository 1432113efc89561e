import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type RouteOptions,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { longestNotesUpdate } from '#domain/calls/notes-limits.ts';
import { defaultBodyLimit } from '#domain/contract.ts';
import { notFound } from '#domain/errors.ts';
import { validationMessage } from '#domain/validation-messages.ts';
import { aiRoutes } from './ai/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { hostedWebhook } from './calls/hosted-webhook.ts';
import { liveRoutes } from './calls/live.ts';
import { mediaEventRoutes } from './calls/media-events.ts';
import { callRoutes } from './calls/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { embeddingRoutes } from './embedding/routes.ts';
import { healthRoutes } from './http/health.ts';
import { pageRoutes } from './http/pages.ts';
import { type Site, sendRotatedSessions } from './http/route.ts';
import { linkRoutes } from './links/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { acceptedHosts, misdirected, refuseOtherHosts } from './platform/accepted-hosts.ts';
import { boundAnswers } from './platform/bounded-answers.ts';
import { boundBodies } from './platform/bounded-bodies.ts';
import { readJson } from './platform/bounded-json.ts';
import { guardRequests } from './platform/guards.ts';
import { answerErrors, send as refuse } from './platform/http-errors.ts';
import { newRequestId } from './platform/log.ts';
import { pathForLog } from './platform/log-tokens.ts';
import { describeRoute } from './platform/openapi.ts';
import { refusalOf } from './platform/refused-requests.ts';
import { decideSecureCookies } from './platform/secure-cookies.ts';
import { securityHeaders } from './platform/security-headers.ts';
import { serializerCompiler } from './platform/serialize.ts';
import { playbookRoutes } from './playbooks/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { publicRoutes } from './public/routes.ts';
import { guestRoutes } from './rooms/guest-routes.ts';
import { roomRoutes } from './rooms/routes.ts';
import { scimProtocol } from './scim/protocol.ts';
import { scimRoutes } from './scim/routes.ts';
import type { Services } from './services.ts';
import { ssoRoutes } from './sso/routes.ts';
import { endUnprovedMembership } from './team/end-unproved-membership.ts';
import { teamRoutes } from './team/routes.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';

export interface AppOptions {
  /** Folder of the built pages; null serves the API alone. */
  pagesDir: string | null;
  /** Parse every answer by its contract: for tests. */
  strictAnswers?: boolean;
  https?: { cert: string; key: string };
  /** How long a body may take to arrive, other than a file: for tests. */
  bodyPatienceMs?: number;
  /** What counts as a second of a client that takes its answer: for tests. */
  answerLookMs?: number;
  /** Hears of each route as it is registered: for tests. */
  onRoute?: (route: RouteOptions) => void;
}

/** A whole request, a file of 2 MB on a slow line included. */
const requestSeconds = 120;
const headersSeconds = 20;
const checkSeconds = 5;
/** The longest update of notes, base64, and what goes with it. Before hello it is less (new-sockets.ts). */
const longestLiveMessageBytes = Math.ceil((longestNotesUpdate * 4) / 3) + 1024;
const webSocketOptions = {
  maxPayload: longestLiveMessageBytes,
  /** A page answers a close at once: what does not is waited for this long, in milliseconds. */
  closeTimeout: 5000,
};

/** The web server with every noun's endpoints; the caller listens and closes. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const { config, log } = services;
  const isAccepted = acceptedHosts(config);
  const settings: FastifyServerOptions = {
    loggerInstance: log,
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: requestSeconds * 1000,
    trustProxy: config.TRUSTED_PROXIES?.split(',').map((entry) => entry.trim()) ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    // An address that cannot be read leads nowhere, like any other that we do not know.
    frameworkErrors: (_error, request, reply) => {
      // No hook runs here, so that the WebSocket plugin does not end the socket of an upgrade.
      if (request.headers.upgrade) reply.raw.once('finish', () => request.raw.socket.destroySoon());
      refuse(reply, isAccepted(request.host) ? notFound() : misdirected());
    },
  };
  const http = newServer(settings, options.https);
  z.config({ customError: validationMessage });
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler(options.strictAnswers ?? false));
  http.removeContentTypeParser('text/plain');
  readJson(http);
  answerErrors(http);
  logRequests(http);
  if (options.onRoute) http.addHook('onRoute', options.onRoute);

  // First: its hook ends the sockets of upgrades that the hooks after it refuse.
  await http.register(websocket, {
    options: webSocketOptions,
    preClose(done) {
      for (const socket of http.websocketServer.clients) socket.close(1012, 'server restarts');
      http.websocketServer.close(done);
    },
  });
  // The plugin upgrades on any path before it closes: such sockets would pass the bounds of the live protocol.
  http.addHook('onRequest', async (request) => {
    if (request.ws && request.routeOptions.url !== '/ws') throw notFound();
  });
  refuseOtherHosts(http, config);
  guardRequests(http, config);
  boundBodies(http, services, options.bodyPatienceMs);
  boundAnswers(http, config, options.answerLookMs);

  await http.register(cookie);
  await http.register(helmet, securityHeaders(config));
  decideSecureCookies(http, config);
  sendRotatedSessions(http);
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Rapport', version: '1' },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'rapport_session' } },
      },
    },
    transform: describeRoute,
  });

  const site: Site = { ...services, http };
  http.register(async () => {
    healthRoutes(site);
    authRoutes(site, endUnprovedMembership);
    twoFactorRoutes(site);
    passkeyRoutes(site);
    profileRoutes(site);
    teamRoutes(site);
    ssoRoutes(site);
    auditRoutes(site);
    privacyRoutes(site);
    organizationRoutes(site);
    playbookRoutes(site);
    roomRoutes(site);
    guestRoutes(site);
    linkRoutes(site);
    embeddingRoutes(site);
    callRoutes(site);
    await hostedWebhook(site);
    analyticsRoutes(site);
    billingRoutes(site);
    aiRoutes(site);
    liveRoutes(site);
    mediaEventRoutes(site);
    contactRoutes(site);
    scimRoutes(site);
    await scimProtocol(site);
    describeApi(http);
    await publicRoutes(site, options.pagesDir);
    await pageRoutes(site, options.pagesDir);
  });
  await http.ready();
  return http;
}

/** Requests that arrive too slowly are looked for every few seconds. */
function newServer(settings: FastifyServerOptions, tls: AppOptions['https']): FastifyInstance {
  const patience = {
    headersTimeout: headersSeconds * 1000,
    connectionsCheckingInterval: checkSeconds * 1000,
  };
  const server = tls ? { https: { ...tls, ...patience } } : { http: patience };
  const options: FastifyServerOptions = { ...settings, ...server };
  return Fastify(options);
}

/** The description does not change while the server runs: one Buffer is in every answer. */
function describeApi(http: FastifyInstance): void {
  let description: Buffer | null = null;
  http.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(http.swagger()));
    return reply.type('application/json; charset=utf-8').send(description);
  });
}

/** One line a request, with the route's pattern: the address itself may hold a token. */
function logRequests(http: FastifyInstance): void {
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  http.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    request.log[level](
      {
        method: request.method,
        path: request.routeOptions.url ?? pathForLog(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...refusalOf(request, reply.statusCode),
      },
      'request',
    );
  });
}
