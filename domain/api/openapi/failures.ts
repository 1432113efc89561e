import { DomainError, notFound, type Problem, roleForbids, toProblem } from '#domain/errors.ts';
import { changedSinceRead } from '../entity-tags.ts';
import { apiTokenRefused } from '../refusals.ts';
import type { Answer } from './document.ts';

interface Failure {
  name: string;
  description: string;
  example: Problem;
  headers?: readonly string[];
}

const example = (...given: ConstructorParameters<typeof DomainError>) =>
  toProblem(new DomainError(...given));

/** What each status means for a program; the description refers to them by `name`. */
export const failures: Record<number, Failure> = {
  400: {
    name: 'BadRequest',
    description: '`errors` names the fields that are wrong, or the `Idempotency-Key` is malformed.',
    example: example('invalid', 'invalid_input', 'Topic is required', {
      errors: [{ path: 'topic', message: 'Topic is required' }],
    }),
  },
  401: {
    name: 'Unauthorized',
    description: '`invalid_token`: the token is malformed, unknown, expired, or revoked.',
    example: toProblem(apiTokenRefused()),
    headers: ['WWW-Authenticate'],
  },
  402: {
    name: 'PaymentRequired',
    description: 'The organization’s plan does not contain this, or its limit is reached.',
    example: example(
      'plan_limit',
      'plan_limit_calls',
      'You’ve used all video calls in your plan this month.',
    ),
  },
  403: {
    name: 'Forbidden',
    description:
      '`insufficient_scope`: the token lacks the scope that `details` names. `forbidden`: the role of the token’s person does not allow it. `token_without_factor`: the organization requires a second factor. `email_unverified`: the person’s address is not confirmed.',
    example: toProblem(roleForbids()),
    headers: ['WWW-Authenticate'],
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or belongs to another organization.',
    example: toProblem(notFound()),
  },
  409: {
    name: 'Conflict',
    description:
      'The present state does not allow it; `code` says why. `idempotency_key_in_progress`: the first request with this key is not finished.',
    example: example(
      'conflict',
      'idempotency_key_in_progress',
      'The first request with this Idempotency-Key is still in progress.',
    ),
    headers: ['Retry-After'],
  },
  412: {
    name: 'PreconditionFailed',
    description:
      '`changed_since_read`: it has another ETag than `If-Match`. `no_entity_tag`: it has none, so send no `If-Match`.',
    example: toProblem(changedSinceRead()),
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is too long.',
    example: example('too_large', 'too_large', 'That’s too much at once, so nothing was changed.'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'Send JSON with `Content-Type: application/json`.',
    example: example('unsupported', 'not_json', 'Send JSON, as application/json.'),
  },
  422: {
    name: 'UnprocessableContent',
    description: '`idempotency_key_reused`: the key was sent with another request.',
    example: example(
      'unprocessable',
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another request. Use a new key.',
    ),
  },
  429: {
    name: 'TooManyRequests',
    description:
      '`too_many_token_requests`, or `too_many_…` for a narrower limit. Wait for `Retry-After` seconds.',
    example: example(
      'too_many',
      'too_many_token_requests',
      'This API token was used too often. Please wait 12 seconds and try again.',
    ),
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
};

/** Returns the answers that operations refer to. */
export const failureAnswers = (): Record<string, Answer> =>
  Object.fromEntries(
    Object.values(failures).map(({ name, description, example, headers = [] }) => [
      name,
      {
        description,
        headers: headerRefs([...headers, 'X-Request-Id']),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example },
        },
      },
    ]),
  );

export const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
