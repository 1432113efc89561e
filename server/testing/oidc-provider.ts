import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface Person {
  sub: string;
  email: string;
  [claim: string]: unknown;
}

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/**
 * An OpenID provider with claims, keys and algorithms chosen by the test, including invalid ones. A
 * real provider is used in `real-providers.test.ts`.
 */
export interface FakeProvider {
  issuer: string;
  /** The content of the next token; `with` overrides claims, `sign` creates the whole token. */
  next: {
    person: Person;
    with: Record<string, unknown>;
    sign: ((claims: Record<string, unknown>) => Promise<string>) | null;
  };
  /** The nonce in the browser's redirect. */
  nonceOf(url: string): string;
  rotate(): Promise<void>;
  /** Signs with its key, for tokens of other providers. */
  signWith(claims: Record<string, unknown>): Promise<string>;
  requests: string[];
  close(): Promise<void>;
}

export async function fakeProvider(metadata: Record<string, unknown> = {}): Promise<FakeProvider> {
  let key: Key;
  let jwk: JWK;
  let keys = 0;
  let nonce = '';
  const requests: string[] = [];
  const rotate = async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    keys += 1;
    key = pair.privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), kid: `key-${keys}`, alg: 'RS256', use: 'sig' };
  };
  await rotate();
  const signWith = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: `key-${keys}` }).sign(key);

  const provider: FakeProvider = {
    issuer: '',
    next: { person: { sub: 'nobody', email: 'nobody@acme.example' }, with: {}, sign: null },
    nonceOf: (url) => {
      nonce = new URL(url).searchParams.get('nonce') ?? '';
      return nonce;
    },
    rotate,
    signWith,
    requests,
    close: async () => void server.close(),
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { issuer, next } = provider;
    requests.push(`${request.method} ${request.url}`);
    if (request.url === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      };
    }
    if (request.url === '/jwks') return { keys: [jwk] };
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: issuer, aud: 'client', iat: now, exp: now + 300, nonce },
      ...next.person,
      ...next.with,
    };
    const idToken = await (next.sign ?? signWith)(claims);
    return { access_token: 'access', token_type: 'Bearer', id_token: idToken };
  }

  const server: Server = createServer((request, response) => {
    answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
