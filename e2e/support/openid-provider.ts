import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from '#server/testing/free-port.ts';

/** Starts a real OpenID provider on this machine, which accepts every login. */
export async function startOpenIdProvider(client: { id: string; secret: string }) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const redirectUris: string[] = [];
  let server = createServer();
  return {
    issuer,
    /** Starts it for a client with this redirect URI. */
    async listen(redirectUri: string) {
      redirectUris.push(redirectUri);
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: redirectUris,
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['given_name', 'family_name'],
        },
        cookies: { keys: ['a key of the tests'] },
        findAccount: (_context, email) => ({
          accountId: email,
          claims: async () => ({
            sub: email,
            email,
            email_verified: true,
            given_name: 'Grace',
            family_name: 'Hopper',
          }),
        }),
      });
      server = createServer(provider.callback());
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
