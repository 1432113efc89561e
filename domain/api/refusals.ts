import { DomainError } from '#domain/errors.ts';
import type { ApiScope } from './scopes.ts';

const realm = 'Bearer realm="Rapport"';
const challenge = (error: string, more = '') => ({
  headers: { 'www-authenticate': `${realm}, error="${error}"${more}` },
});

/** The token of the request is malformed, unknown, expired, or revoked (RFC 6750, 3.1). */
export const apiTokenRefused = () =>
  new DomainError(
    'unauthorized',
    'invalid_token',
    'This API token is invalid, has expired, or was revoked.',
    challenge('invalid_token'),
  );

export const scopeMissing = (scope: ApiScope) =>
  new DomainError('forbidden', 'insufficient_scope', 'This API token lacks a scope.', {
    details: `The missing scope is ${scope}.`,
    ...challenge('insufficient_scope', `, scope="${scope}"`),
  });

/** There is no scope for what was asked. */
export const noApiToken = () =>
  new DomainError(
    'forbidden',
    'no_api_token',
    'API tokens can’t be used for this. Sign in instead.',
    challenge('insufficient_scope'),
  );
