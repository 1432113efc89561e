import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { noApiToken } from '#domain/api/refusals.ts';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { type Permission, roleMay } from '#domain/auth/permissions.ts';
import {
  type BodyOf,
  type Contract,
  defaultBodyLimit,
  type ParamsOf,
  type QueryOf,
} from '#domain/contract.ts';
import { noOrganization, notSignedIn, roleForbids } from '#domain/errors.ts';
import type { AccountId, ApiTokenId, OrgId } from '#domain/ids.ts';
import { findApiCaller, tenantOfApiCaller } from '#server/api/admit-api-token.ts';
import { answerOnce } from '#server/api/answer-once.ts';
import { countUse } from '#server/api/count-uses.ts';
import { noteSeen, rotateSession } from '#server/auth/rotate-session.ts';
import { type CurrentSession, findSession } from '#server/auth/sessions.ts';
import { refuseUnverified } from '#server/auth/verify-email.ts';
import type { Services } from '#server/services.ts';
import { type Tenant, tenantOf } from '../platform/access.ts';
import { networkKey } from '../platform/address-key.ts';
import { bearerOf } from '../platform/bearer.ts';
import { holdPlace, placeBy } from '../platform/body-places.ts';
import { answerPaceOf, receiveBody } from '../platform/bounded-answers.ts';
import { takeExportPlace } from '../platform/export-places.ts';
import { noteOf } from '../platform/refused-requests.ts';
import { twoFactorRequired } from '../platform/required-factors.ts';
import { lengthOfBody, storedBytes } from '../platform/stored-bytes.ts';
import { ifMatching, type Represented, sendTagged } from './entity-tags.ts';
import { routeSchema } from './route-schema.ts';
import { sessionToken, setSessionCookie } from './session-cookie.ts';

/** The web server with the services, to which features add their endpoints. */
export interface Site extends Services {
  http: FastifyInstance;
}

/** A status of the contract with its body. */
export type Answer<C extends Contract> = {
  [S in Extract<keyof C['output'], number>]: {
    status: S;
    body: C extends { download: readonly string[] }
      ? Readable
      : C['output'][S] extends z.ZodType
        ? z.input<C['output'][S]>
        : null;
    headers?: Record<string, string>;
  };
}[Extract<keyof C['output'], number>];

/** Returns an answer with this status; its type keeps the literal status. */
export const answer = <S extends number, B>(
  status: S,
  body: B,
  headers: Record<string, string> = {},
) => ({ status, body, headers });

export interface Given<C extends Contract> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Only `tenantRoute` checks whether the caller's address is verified. */
type Unchecked = { needsVerifiedAddress?: never };

/** Registers an endpoint for everyone. */
export function publicRoute<const C extends Contract & Unchecked & { permission: 'public' }>(
  site: Site,
  contract: C,
  handle: (given: Given<C>) => Promise<Answer<C>>,
): void {
  register(site, contract, handle);
}

/** Registers an endpoint for a signed-in account, with or without an organization. */
export function sessionRoute<const C extends Contract & Unchecked & { permission: 'session' }>(
  site: Site,
  contract: C,
  handle: (given: Given<C> & { user: SignedInUser; session: CurrentSession }) => Promise<Answer<C>>,
): void {
  register(site, contract, async (given: Given<C>) => {
    const self = await sessionOf(site, given.request);
    const { id, orgId } = self.user;
    // Its organization pays; without one, the account is on its own.
    await answerPaceOf(given.request, orgId ?? (id as string as OrgId), id).wait();
    return handle({ ...given, ...self });
  });
}

/**
 * Registers an endpoint within the caller's organization, for roles that have the contract's
 * permission.
 * @param represented what it changes, by which `If-Match` is checked
 */
export function tenantRoute<const C extends Contract & { permission: Permission }>(
  site: Site,
  contract: C,
  handle: (given: Given<C> & Caller<C> & { tenant: Tenant }) => Promise<Answer<C>>,
  represented?: Represented<ParamsOf<C>>,
): void {
  register(site, contract, async (given: Given<C>) => {
    const { request } = given;
    const token = bearerOf(request);
    if (token !== undefined) {
      const caller = await findApiCaller(site.database, request, token);
      await countUse(site, caller, given.reply);
      const admitted = tenantOfApiCaller(site.database, caller, request, contract);
      const tenant = ifMatching(admitted, contract, represented, given);
      // Contracts without a scope were refused.
      const by = { user: { id: caller.account?.id ?? caller.tokenId } } as Caller<C>;
      countStored(site, contract, tenant, request);
      const run = () => handle({ ...given, ...by, tenant });
      if (contract.method !== 'POST') return run();
      const { secrets } = site;
      return answerOnce({ tenant, tokenId: caller.tokenId, secrets, ...given }, run);
    }
    const self = await sessionOf(site, request);
    const { user } = self;
    const admitted = tenantOfUser(site, self, request, contract.permission);
    if (user.role === null || !roleMay(user.role, contract.permission)) throw roleForbids();
    if (contract.needsVerifiedAddress) refuseUnverified(user);
    const tenant = ifMatching(admitted, contract, represented, given);
    countStored(site, contract, tenant, request);
    return handle({ ...given, ...(self as Caller<C>), tenant });
  });
}

/** Counts what a change adds to the database. @throws DomainError 429 for one that stores, beyond the organization's bound */
function countStored(
  site: Site,
  { method, stores }: Contract,
  tenant: Tenant,
  request: FastifyRequest,
): void {
  if (method === 'GET') return;
  const stored = storedBytes(site);
  if (stores) stored.take(tenant, lengthOfBody(request));
  else stored.spend(tenant, 0);
}

/** Who calls. Where tokens may, all that is known is by whose id to count. */
type Caller<C extends Contract> = C extends { scope: string }
  ? { user: { id: AccountId | ApiTokenId } }
  : { user: SignedInUser; session: CurrentSession };

/**
 * Returns the user of the request's session cookie.
 * @throws DomainError 401
 */
export async function signedIn(services: Services, request: FastifyRequest): Promise<SignedInUser> {
  return (await sessionOf(services, request)).user;
}

/** New tokens for the sessions of requests. */
const rotated = new WeakMap<FastifyRequest, string>();

/** Adds the session's new token to the answer, if it was rotated. */
export function sendRotatedSessions(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply) => {
    const token = rotated.get(request);
    if (token) setSessionCookie(request, reply, token);
  });
}

/**
 * Returns the session of the request, with its user. It is read each time, because a body may take
 * half a minute to arrive, and the session may end meanwhile.
 * @throws DomainError 401
 */
export async function sessionOf(services: Services, request: FastifyRequest) {
  await refuseApiTokens(services, request);
  const token = rotated.get(request) ?? sessionToken(request);
  const found = token ? await findSession(services.database, token) : null;
  if (!token || !found) throw notSignedIn();
  noteOf(request, { accountId: found.user.id });
  await noteSeen(services.database, found.session);
  if (found.session.rotate) {
    const next = await rotateSession(services.database, token);
    if (next) rotated.set(request, next);
  }
  return found;
}

/** @throws DomainError 401, 403 where the request has a bearer token */
async function refuseApiTokens({ database }: Services, request: FastifyRequest): Promise<void> {
  const token = bearerOf(request);
  if (token === undefined) return;
  await findApiCaller(database, request, token);
  throw noApiToken();
}

/** Returns the session of the request; null without one. */
export async function sessionOrNull(services: Services, request: FastifyRequest) {
  const token = sessionToken(request);
  return token ? findSession(services.database, token) : null;
}

/**
 * Returns the tenant for the person of a session. Each transaction checks at its end that they
 * still have the permission; null is for actions of every member.
 * @throws DomainError 403 when the account has no organization, or lacks the factor that it
 * requires
 */
export function tenantOfUser(
  services: Services,
  { user, session }: { user: SignedInUser; session: { id: string } },
  request: FastifyRequest,
  permission: Permission | null,
): Tenant {
  const { id: accountId, orgId, role } = user;
  if (orgId === null || role === null) throw noOrganization();
  if (user.mustSetUpTwoFactor) {
    throw twoFactorRequired();
  }
  const actor = { kind: 'user' as const, accountId, orgId, role };
  const by = { session, permission };
  const pace = answerPaceOf(request, orgId, accountId);
  return tenantOf(services.database, actor, request.ip, by, pace);
}

function register<C extends Contract>(
  site: Site,
  contract: C,
  handle: (given: Given<C>) => Promise<Answer<C>>,
): void {
  site.http.route({
    method: contract.method,
    url: contract.path,
    schema: routeSchema(contract),
    ...boundsOf(site, contract),
    handler: async (request, reply) => {
      // Fastify has parsed these by the contract's schemas before the handler runs.
      const given = { ...inputOf(request), request, reply } as Given<C>;
      const answer = await holdPlace(request, () => handle(given));
      const who = request.answerReader?.who;
      if (contract.download && who) await takeExportPlace(who, reply.raw);
      reply.headers({ 'cache-control': 'no-store', ...answer.headers });
      reply.code(Number(answer.status));
      return sendTagged(contract, request, reply, answer.body);
    },
  });
}

/**
 * Returns the checks that run before the body is read. A file, and a body larger than the default,
 * takes a place; without a session only where the contract is public.
 */
function boundsOf(site: Site, { permission, bodyLimit, rateLimit, file }: Contract) {
  const mostBytes = bodyLimit ?? (file ? file.mostBytes + defaultBodyLimit : defaultBodyLimit);
  return {
    bodyLimit: mostBytes,
    config: { ...(rateLimit ? { rateLimit } : {}), takesFile: file !== undefined },
    ...(mostBytes > defaultBodyLimit
      ? {
          onRequest: placeBy(async (request) => {
            if (permission === 'public') return networkKey(request.ip);
            const { orgId, id } = await senderOf(site, request);
            const key = orgId ?? id;
            const pace = answerPaceOf(request, key as string as OrgId, id);
            // Before the body takes a place of those that all organizations share.
            await pace.wait();
            await receiveBody(request, pace);
            // A slow upload does not keep the organization's other long bodies waiting.
            return file ? `file ${key}` : key;
          }),
        }
      : {}),
  };
}

/** Returns whose place a body takes. @throws DomainError 401 */
async function senderOf(site: Site, request: FastifyRequest) {
  const token = bearerOf(request);
  if (token === undefined) return (await sessionOf(site, request)).user;
  const { orgId, account, tokenId } = await findApiCaller(site.database, request, token);
  return { orgId, id: account?.id ?? tokenId };
}

const inputOf = ({ params, query, body }: FastifyRequest) => ({ params, query, body });
