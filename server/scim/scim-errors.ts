import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import { ScimError, scimErrorBody } from '#domain/scim/error.ts';
import { asBusy, isDiskFull } from '#server/platform/database-errors.ts';

/** Registers the handler that turns every error into a SCIM error (RFC 7644, 3.12). */
export function answerScimErrors(scim: FastifyInstance): void {
  scim.setErrorHandler((error: FastifyError | ScimError, request, reply) => {
    if (error instanceof DomainError && error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', error.retryAfterSeconds);
    }
    const refusal = asScimError(error) ?? asUnavailable(reply, error);
    if (refusal) return sendScimError(reply, refusal);
    request.log.error({ err: error }, 'a request failed');
    const detail = `Something went wrong on our side. Try again; if it stays, name this number: ${request.id}`;
    return sendScimError(reply, new ScimError(500, detail));
  });
}

export function sendScimError(reply: FastifyReply, refusal: ScimError): FastifyReply {
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="scim"');
  return reply
    .code(refusal.status)
    .type('application/scim+json')
    .serializer(JSON.stringify)
    .send(scimErrorBody(refusal.status, refusal.message, refusal.scimType));
}

/** Directories retry after a 503 and give up after a 409. */
function asUnavailable(reply: FastifyReply, error: unknown): ScimError | undefined {
  const busy = asBusy(error);
  if (!busy) return undefined;
  reply.header('retry-after', busy.retryAfterSeconds);
  return new ScimError(503, busy.message);
}

function asScimError(error: FastifyError | ScimError | DomainError): ScimError | undefined {
  if (error instanceof ScimError) return error;
  if (error instanceof DomainError) return new ScimError(error.status, error.message);
  if (isDiskFull(error)) return new ScimError(503, 'The server’s disk is full. Nothing was saved.');
  switch (error.statusCode) {
    case 400:
      return new ScimError(400, 'We couldn’t read this request. Send JSON.', 'invalidSyntax');
    case 413:
      return new ScimError(413, 'That is too much at once. Nothing was changed.');
    case 415:
      return new ScimError(415, 'Send JSON, as application/scim+json.');
    default:
      return undefined;
  }
}
