import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import websocket from '@fastify/websocket';
import {
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type RouteOptions,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sayHelloAgain } from '#domain/calls/close-codes.ts';
import { longestNotesUpdate } from '#domain/calls/notes-limits.ts';
import { defaultBodyLimit } from '#domain/contract.ts';
import { notFound } from '#domain/errors.ts';
import { validationMessage } from '#domain/validation-messages.ts';
import { actionItemRoutes } from './action-items/routes.ts';
import { aiRoutes } from './ai/routes.ts';
import { aiSettingsRoutes } from './ai-settings/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { apiTokenRoutes } from './api/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { billingWebhook } from './billing/webhook.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { callListRoutes } from './call-lists/routes.ts';
import { hostedWebhook } from './calls/hosted-webhook.ts';
import { liveRoutes } from './calls/live.ts';
import { mediaEventRoutes } from './calls/media-events.ts';
import { OpenSockets } from './calls/open-sockets.ts';
import { callRoutes } from './calls/routes.ts';
import { consentRoutes } from './consent/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { crmRoutes } from './crm/routes.ts';
import { embeddingRoutes } from './embedding/routes.ts';
import { gettingStartedRoutes } from './getting-started/routes.ts';
import { healthRoutes } from './http/health.ts';
import { pageRoutes } from './http/pages.ts';
import { type Site, sendRotatedSessions } from './http/route.ts';
import { insightRoutes } from './insights/routes.ts';
import { linkRoutes } from './links/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { acceptedHosts, misdirected, refuseOtherHosts } from './platform/accepted-hosts.ts';
import { boundAnswers } from './platform/bounded-answers.ts';
import { boundBodies } from './platform/bounded-bodies.ts';
import { boundChunks } from './platform/bounded-chunks.ts';
import { boundConnections } from './platform/bounded-connections.ts';
import { readJson } from './platform/bounded-json.ts';
import { boundPipelining } from './platform/bounded-pipelining.ts';
import { guardRequests } from './platform/guards.ts';
import { answerErrors, send as refuse } from './platform/http-errors.ts';
import { newRequestId } from './platform/log.ts';
import { pathForLog } from './platform/log-tokens.ts';
import { meterTls } from './platform/metered-tls.ts';
import { newServer } from './platform/new-server.ts';
import { describeRoute } from './platform/openapi.ts';
import { nameNetworks } from './platform/outside-turns.ts';
import { keepNotes, refusalOf } from './platform/refused-requests.ts';
import { decideSecureCookies } from './platform/secure-cookies.ts';
import { sendSecurityHeaders } from './platform/security-headers.ts';
import { serializerCompiler } from './platform/serialize.ts';
import { playbookRoutes } from './playbooks/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { apiDescriptionRoute } from './public/api-description.ts';
import { publicRoutes } from './public/routes.ts';
import { recapRoutes } from './recaps/routes.ts';
import { takeOver } from './recordings/egress/take-over.ts';
import { noteArrival, noteRecording } from './recordings/hosted/hosted-events.ts';
import { requireUnrecorded } from './recordings/hosted/require-unrecorded.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { guestRoutes } from './rooms/guest-routes.ts';
import { roomRoutes } from './rooms/routes.ts';
import { sampleRoutes } from './samples/routes.ts';
import { scimProtocol } from './scim/protocol.ts';
import { scimRoutes } from './scim/routes.ts';
import { searchRoutes } from './search/routes.ts';
import type { Services } from './services.ts';
import { shareRoutes } from './shares/routes.ts';
import { speechModelRoutes } from './speech-models/routes.ts';
import { ssoRoutes } from './sso/routes.ts';
import { endUnprovedMembership } from './team/end-unproved-membership.ts';
import { teamRoutes } from './team/routes.ts';
import { speechRoute } from './transcripts/live-speech.ts';
import { transcriptRoutes } from './transcripts/routes.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { slackRoutes } from './webhooks/slack/routes.ts';

export interface AppOptions {
  /** Folder of the built pages; null serves only the API. */
  pagesDir: string | null;
  /** Parse every answer by its contract; for tests. */
  strictAnswers?: boolean;
  https?: { cert: string; key: string };
  /** How long a body other than a file may take to arrive; for tests. */
  bodyPatienceMs?: number;
  /** The interval that counts as one second of a client reading its answer; for tests. */
  answerLookMs?: number;
  /** Called with each route as it is registered; for tests. */
  onRoute?: (route: RouteOptions) => void;
}

/** For a whole request, including a file of 2 MB on a slow connection. */
const requestSeconds = 120;
/**
 * The longest update of notes in base64, and its envelope. Before hello the limit is lower
 * (new-sockets.ts).
 */
const longestLiveMessageBytes = Math.ceil((longestNotesUpdate * 4) / 3) + 1024;
const webSocketOptions = {
  maxPayload: longestLiveMessageBytes,
  /** Of one message. Browsers send the longest in few; `ws` handles and keeps each apart. */
  maxFragments: 64,
  /** Of one frame. On the slowest path, the longest message arrives in fewer. */
  maxBufferedChunks: 1024,
  /** A page answers a close immediately. Others get this long, in milliseconds. */
  closeTimeout: 5000,
};

/** Returns the web server with all endpoints. The caller listens and closes. */
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
    // A malformed URL is answered like an unknown one.
    frameworkErrors: (_error, request, reply) => {
      // No hook runs here, so the WebSocket plugin does not end the socket of an upgrade, and no body is bounded.
      reply.header('connection', 'close');
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

  // Registered first: its hook ends the sockets of upgrades that later hooks refuse.
  await http.register(websocket, {
    options: webSocketOptions,
    preClose(done) {
      for (const socket of http.websocketServer.clients)
        socket.close(sayHelloAgain, 'server restarts');
      http.websocketServer.close(done);
    },
  });
  // The plugin upgrades requests on any path before it closes them. Such sockets would bypass the
  // bounds of the live protocol.
  const sockets = new Set<unknown>(['/ws', '/ws/notices', '/ws/speech']);
  http.addHook('onRequest', async (request) => {
    if (request.ws && !sockets.has(request.routeOptions.url)) throw notFound();
  });
  boundPipelining(http);
  meterTls(http, config);
  boundConnections(http, config);
  nameNetworks(http);
  refuseOtherHosts(http, config);
  guardRequests(http, config);
  boundChunks(http);
  boundBodies(http, services, options.bodyPatienceMs);
  boundAnswers(http, config, options.answerLookMs);

  await http.register(cookie);
  sendSecurityHeaders(http, config);
  decideSecureCookies(http, config);
  sendRotatedSessions(http);
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Rapport', version: '1' },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'rapport_session' },
          token: { type: 'http', scheme: 'bearer' },
        },
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
    callListRoutes(site);
    recordingRoutes(site);
    consentRoutes(site);
    await hostedWebhook(site, { noteRecording, noteArrival });
    analyticsRoutes(site);
    gettingStartedRoutes(site);
    sampleRoutes(site);
    billingRoutes(site);
    await billingWebhook(site);
    aiRoutes(site);
    aiSettingsRoutes(site);
    speechModelRoutes(site);
    actionItemRoutes(site);
    searchRoutes(site);
    shareRoutes(site);
    insightRoutes(site);
    transcriptRoutes(site);
    webhookRoutes(site);
    apiTokenRoutes(site);
    crmRoutes(site);
    slackRoutes(site);
    await recapRoutes(site);
    calendarRoutes(site);
    const openSockets = new OpenSockets(services.config);
    const published = liveRoutes(site, openSockets);
    callRoutes(site, requireUnrecorded, published);
    noticeRoutes(site, openSockets);
    speechRoute(site, openSockets, published);
    mediaEventRoutes(site, takeOver);
    contactRoutes(site);
    scimRoutes(site);
    await scimProtocol(site);
    describeApi(http);
    apiDescriptionRoute(http);
    await publicRoutes(site, options.pagesDir);
    await pageRoutes(site, options.pagesDir);
  });
  await http.ready();
  return http;
}

/** The description does not change while the server runs, so all answers share one Buffer. */
function describeApi(http: FastifyInstance): void {
  let description: Buffer | null = null;
  http.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(http.swagger()));
    return reply.type('application/json; charset=utf-8').send(description);
  });
}

/** Logs one line per request, with the route's pattern, because the URL itself may contain a token. */
function logRequests(http: FastifyInstance): void {
  keepNotes(http);
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
