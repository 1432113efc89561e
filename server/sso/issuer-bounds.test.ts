import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import type { SafeRequest } from '#server/platform/safe-fetch.ts';
import { discover } from './oidc.ts';

const settings = {
  orgId: orgId.parse('01900000-0000-7000-8000-000000000001'),
  ...{ issuer: 'https://idp.example', clientId: 'rapport', clientSecret: 'secret' },
};
/** Discovers an issuer whose metadata has this extension. */
async function discovered(extension: unknown) {
  const asked: SafeRequest[] = [];
  const fetch = async (_url: string, options: SafeRequest = {}) => {
    asked.push(options);
    const { issuer } = settings;
    const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` };
    return Response.json({ issuer, ...endpoints, jwks_uri: `${issuer}/k`, extension });
  };
  await discover(settings, fetch, { freshly: true });
  return asked;
}

test('R29-B9: what an identity provider answers is bounded, and paid by the organization that named it', async () => {
  expect(await discovered(['a', 'b'])).toEqual([
    expect.objectContaining({ payer: settings.orgId, mostBytes: 65_536 }),
  ]);
});

test('R29-B10: metadata with more values than any provider has are refused', async () => {
  await expect(discovered(Array(3000).fill({}))).rejects.toMatchObject({ code: 'issuer_failed' });
});
