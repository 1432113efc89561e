import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { DomainError, type FieldError, notFound, toProblem } from '#domain/errors.ts';
import { asBusy, isDiskFull } from './database-errors.ts';
import { noteOf } from './refused-requests.ts';

/** The most field errors that an answer lists. */
const mostErrors = 100;

/** Turns every error that is thrown into `application/problem+json`. No other code does. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error);
    if (refusal) {
      if (refusal.status >= 500) request.log.error({ err: error }, refusal.code);
      return send(reply, refusal);
    }
    request.log.error({ err: error }, 'a request failed');
    return reply
      .code(500)
      .type('application/problem+json')
      .send({
        status: 500,
        title: 'Internal Server Error',
        code: 'internal',
        message: `Something went wrong on our side. Please try again; if it stays, give your administrator this number: ${request.id}`,
      });
  });
}

export function send(reply: FastifyReply, refusal: DomainError): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', refusal.retryAfterSeconds);
  }
  reply.headers(refusal.headers);
  noteOf(reply.request, { code: refusal.code });
  return reply
    .code(refusal.status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(toProblem(refusal));
}

function asRefusal(error: FastifyError): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (isDiskFull(error)) {
    return new DomainError(
      'unavailable',
      'disk_full',
      'The server’s disk is full, so nothing was saved. Please tell your admin.',
    );
  }
  const busy = asBusy(error);
  if (busy) return busy;
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A malformed id is answered like an unknown one.
    if (error.validationContext === 'params') return notFound();
    const errors: FieldError[] = error.validation.slice(0, mostErrors).map((issue) => ({
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: issue.message ?? 'Invalid',
    }));
    return new DomainError('invalid', 'invalid_input', errors[0]?.message ?? 'Invalid input', {
      errors,
    });
  }
  switch (error.statusCode) {
    case 400:
      return new DomainError(
        'invalid',
        'invalid_body',
        'We couldn’t read this request. Send JSON.',
      );
    case 413:
      return new DomainError(
        'too_large',
        'too_large',
        'That’s too much at once, so nothing was changed. Please send less.',
      );
    case 415:
      return new DomainError('unsupported', 'not_json', 'Send JSON, as application/json.');
    case 416:
      return new DomainError(
        'unsatisfiable',
        'range',
        'The file doesn’t have this range of bytes.',
      );
    case 429:
      return new DomainError(
        'too_many',
        'too_many',
        'Too many attempts. Please wait a moment and try again.',
      );
    default:
      return undefined;
  }
}
