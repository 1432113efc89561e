import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  changedSinceRead,
  hasNoEntityTag,
  namesStrongly,
  namesWeakly,
} from '#domain/api/entity-tags.ts';
import type { Contract, ParamsOf } from '#domain/contract.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';

/** What a change alters, as a GET answers it. */
export interface Represented<Params> {
  reading: Contract & { output: { 200: z.ZodType } };
  /**
   * Returns what the GET would answer. What the change alters stays locked until the transaction ends.
   * @throws DomainError 404
   */
  hold(tx: TenantConnection, params: Params): Promise<object>;
}

/** Answers of these are tagged: what API tokens read, except files. */
const isTagged = ({ method, scope, download }: Contract) =>
  method === 'GET' && scope !== undefined && download === undefined;

/** Returns a strong tag: of the answer's bytes, so what another person, role, or language is answered has another. */
const entityTagOf = (text: string) => `"${hash('sha256', text, 'base64url')}"`;

/** Sends the body with its tag, or 304 without a body if the client has it already. The status is set. */
export function sendTagged(
  contract: Contract,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): FastifyReply {
  if (!isTagged(contract) || reply.statusCode !== 200) return reply.send(body ?? undefined);
  // Here and not in a hook, because longer answers are streams by then (platform/bounded-answers.ts).
  const text = String(reply.serialize(body));
  request.answerReader?.made(Buffer.byteLength(text));
  const tag = entityTagOf(text);
  reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  if (known === undefined || !namesWeakly(known, tag)) {
    return reply.type('application/json; charset=utf-8').send(text);
  }
  // The headers of a HEAD are those of the answer, its length included.
  return reply.code(304).send(request.method === 'HEAD' ? text : undefined);
}

/**
 * Returns a tenant whose first transaction begins with the request's `If-Match`. It is compared with what the
 * transaction has locked, so of two changes of one version only one is made.
 * @throws DomainError 412 where a change without a representation is asked with `If-Match`
 */
export function ifMatching<C extends Contract>(
  tenant: Tenant,
  contract: C,
  represented: Represented<ParamsOf<C>> | undefined,
  { request, reply, params }: { request: FastifyRequest; reply: FastifyReply; params: ParamsOf<C> },
): Tenant {
  const expected = request.headers['if-match'];
  if (expected === undefined || contract.method === 'GET' || contract.method === 'POST')
    return tenant;
  if (!represented) throw hasNoEntityTag();
  const { reading, hold } = represented;
  const check = async (tx: TenantConnection) => {
    const body = await hold(tx, params);
    // Fastify types every schema as a record, and passes it on to our compiler.
    const schema = reading.output[200] as z.ZodType & Record<string, unknown>;
    const text = String(reply.serializeInput({ ...body }, schema));
    request.answerReader?.made(Buffer.byteLength(text));
    if (!namesStrongly(expected, entityTagOf(text))) throw changedSinceRead();
  };
  let hasMatched = false;
  return {
    ...tenant,
    transaction: async (use, options) => {
      if (hasMatched) return tenant.transaction(use, options);
      const result = await tenant.transaction(async (tx) => {
        await check(tx);
        return use(tx);
      }, options);
      hasMatched = true;
      return result;
    },
  };
}
