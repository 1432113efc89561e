import type { z } from 'zod';
import { createApiToken, createOrganizationToken } from '#domain/api/contract.ts';
import type { ApiScope } from '#domain/api/scopes.ts';
import type { TestApp } from './open-test-app.ts';
import type { Things } from './requests.ts';
import type { Reply, Visitor } from './visitor.ts';

type Made = z.infer<(typeof createApiToken)['output'][201]>;

const bodyOf = (scopes: readonly ApiScope[]) => ({ name: 'Script', scopes, expiresInDays: 30 });

export const personalToken = (visitor: Visitor, scopes: readonly ApiScope[]): Promise<Made> =>
  visitor.call(createApiToken, { body: bodyOf(scopes) });

export const organizationToken = (visitor: Visitor, scopes: readonly ApiScope[]): Promise<Made> =>
  visitor.call(createOrganizationToken, { body: bodyOf(scopes) });

export const tokenThings = async (
  visitor: Visitor,
): Promise<Pick<Things, 'organization-tokens'>> => ({
  'organization-tokens': (await organizationToken(visitor, ['rooms:read'])).id,
});

/** Sends requests with a token and without cookies. */
export const program =
  (app: TestApp, token: string) =>
  async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const answer = await app.http.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body ? { payload: body } : {}),
    });
    const isJson = /\bjson\b/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: isJson && answer.payload ? JSON.parse(answer.payload) : answer.payload,
      headers: answer.headers,
    };
  };
