import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { defaultBodyLimit } from '#domain/contract.ts';
import { scimEndpoints, scimPath, unsupportedPaths } from '#domain/scim/endpoints.ts';
import { badSyntax, ScimError, unknownResource } from '#domain/scim/error.ts';
import { flawOf, isObject } from '#domain/scim/json.ts';
import { takesNewAccounts } from '#server/auth/doors.ts';
import type { Site } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import { receiveBody } from '#server/platform/bounded-answers.ts';
import { readJson } from '#server/platform/bounded-json.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { lengthOfBody, storedBytes } from '#server/platform/stored-bytes.ts';
import { reclaimAccount } from '#server/team/reclaim-account.ts';
import { admitToken } from './admit-token.ts';
import type { Asked, Handlers, ScimAnswer } from './directory-request.ts';
import { discoveryHandlers } from './discovery-handlers.ts';
import { groupHandlers } from './group-handlers.ts';
import { answerScimErrors, sendScimError } from './scim-errors.ts';
import { userHandlers } from './user-handlers.ts';

/** Per token. Okta and Entra ID send bursts of tens of requests a second. */
const mostPerMinute = 3_000;
/** Bytes of a group with 10,000 members, which Okta replaces as a whole. A user is a few thousand bytes. */
const longestGroup = 1_500_000;
const longestUser = 64 * 1024;
/** A long body of the directory may have 100,000 values: a megabyte takes 15 ms in one piece, and as much again before. */
const timesOfBytes = 12;
/** For the same group, whose members have up to four values; `depth` is the nesting of attributes. */
const jsonBounds = { depth: 64, values: 100_000, names: 500 };
const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const hidden = { hide: true };

/** Registers SCIM 2.0 (RFC 7643, 7644), with its own content type, errors, and authentication. */
export async function scimProtocol(site: Site): Promise<void> {
  const handlers: Handlers = { ...discoveryHandlers, ...userHandlers, ...groupHandlers };
  const failing = limit(site, 'scim_token', 60, 600);
  const asking = limit(site, 'scim', mostPerMinute, 60);

  await site.http.register(
    async (scim) => {
      scim.removeAllContentTypeParsers();
      readJson(scim, ['application/scim+json', 'application/json'], jsonBounds);
      answerScimErrors(scim);
      scim.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      const admit = async (request: FastifyRequest) => {
        const admitted = await admitToken(site.database, request).catch((error: unknown) => {
          if (error instanceof ScimError) failing(request.ip);
          throw error;
        });
        asking(admitted.tokenId);
        return admitted;
      };
      // The larger body is read only after the token was admitted.
      const boundsOf = (url: string) => ({
        bodyLimit: url.startsWith('/Groups') ? longestGroup : longestUser,
        onRequest: placeBy(async (request) => {
          const { tenant, pace } = await admit(request);
          await pace.wait();
          await receiveBody(request, pace, timesOfBytes);
          return tenant.orgId;
        }),
      });
      for (const endpoint of scimEndpoints) {
        const [method, url] = splitEndpoint(endpoint);
        const handle = handlers[endpoint];
        if (!handle) throw new Error(`${endpoint}: say in server/scim what it does.`);
        scim.route({
          method,
          url,
          schema: hidden,
          ...boundsOf(url),
          handler: async (request, reply) => {
            // Checked again: reading the body may take half a minute, and the token may have ended meanwhile.
            const { tenant } = await admitToken(site.database, request);
            const stored = storedBytes(site);
            // What changes or removes people and groups that exist is not refused.
            if (method === 'POST') stored.require(tenant);
            if (method !== 'GET') stored.spend(tenant, lengthOfBody(request));
            const asked = askedOf(site, request, tenant);
            return send(reply, await holdPlace(request, () => handle(asked)));
          },
        });
      }
      refuseOtherMethods(scim, admit);
      for (const url of unsupportedPaths) {
        refuseMethods(
          scim,
          url,
          methods,
          admit,
          () => new ScimError(501, `${url} is not supported.`),
        );
      }
      scim.setNotFoundHandler((_request, reply) => {
        sendScimError(reply, unknownResource());
      });
    },
    { prefix: scimPath },
  );
}

export const splitEndpoint = (endpoint: string): [HTTPMethods, string] => {
  const [method = '', path = ''] = endpoint.split(' ');
  return [methods.find((each) => each === method) ?? 'GET', path];
};

/** Answers 405 for methods that a path of the protocol does not support (RFC 9110, 15.5.6). */
function refuseOtherMethods(scim: FastifyInstance, admit: Admit): void {
  const known = Map.groupBy(scimEndpoints.map(splitEndpoint), ([, path]) => path);
  for (const [url, endpoints] of known) {
    const allowed = endpoints.map(([method]) => method);
    const others = methods.filter((method) => !allowed.includes(method));
    refuseMethods(scim, url, others, admit, (reply) => {
      reply.header('allow', allowed.join(', '));
      return new ScimError(405, `Here you can ${allowed.join(', ')}.`);
    });
  }
}

type Admit = (request: FastifyRequest) => Promise<unknown>;

function refuseMethods(
  scim: FastifyInstance,
  url: string,
  method: HTTPMethods[],
  admit: Admit,
  refusal: (reply: FastifyReply) => ScimError,
): void {
  scim.route({
    method,
    url,
    schema: hidden,
    bodyLimit: defaultBodyLimit,
    // The request is refused before its body is read.
    onRequest: async (request, reply) => {
      await admit(request);
      throw refusal(reply);
    },
    handler: async (_request, reply) => {
      throw refusal(reply);
    },
  });
}

function askedOf(site: Site, request: FastifyRequest, tenant: Tenant): Asked {
  const { params, query } = request;
  const home = publicUrl(site.config, request);
  return {
    tenant,
    base: `${home}${scimPath}`,
    id: isObject(params) ? String(params.id ?? '') : '',
    query: isObject(query) ? query : {},
    body: () => {
      if (!isObject(request.body)) throw badSyntax('Send a JSON object, as application/scim+json.');
      const flaw = flawOf(request.body);
      if (flaw) throw badSyntax(flaw);
      return request.body;
    },
    header: (name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
    made: (bytes) => request.answerReader?.made(bytes),
    takesNewAccounts: takesNewAccounts(site.config),
    home,
    reclaim: (email) => reclaimAccount(site, tenant, email),
  };
}

function send(reply: FastifyReply, { status, body, headers }: ScimAnswer): FastifyReply {
  if (headers) reply.headers(headers);
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply.type('application/scim+json').serializer(JSON.stringify).send(body);
}
