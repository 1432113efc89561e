import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Server } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { providerKeys } from '#server/testing/saml-keys.ts';
import { MeteredSocket } from './metered-socket.ts';
import { sendRequest } from './outside-request.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const applicationData = 23;
/** An alert that is not encrypted: `handshake_failure`. */
const badRecord = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

/** Answers `101`, and sends a record in the same segment that nobody can decrypt. */
async function switchingServer(): Promise<number> {
  const { key, certificate: cert } = providerKeys;
  const switching = createTlsServer({ key, cert }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  const port = await portOf(switching);
  const relay = createServer((client) => {
    const server = connectTcp(port, '127.0.0.1');
    let hasAsked = false;
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.once('close', () => [client, server].map((one) => one.destroy()));
    }
    client.on('data', (part) => {
      // The first such record ends the handshake, and the request follows.
      hasAsked ||= part.includes('GET') || part[0] === applicationData;
      server.write(part);
    });
    server.on('data', (part) =>
      client.write(
        hasAsked && part[0] === applicationData ? Buffer.concat([part, badRecord]) : part,
      ),
    );
  });
  return portOf(relay);
}

test('R30-A6: an answer that switches protocols fails alone, whatever follows it', async () => {
  const port = await switchingServer();
  const errors: string[] = [];
  const connect = () => {
    const socket = new MeteredSocket(connectTcp(port, '127.0.0.1'), {
      waitMs: () => 0,
      spend: () => undefined,
    });
    const secure = connectTls({ socket, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    secure.once('secureConnect', () => socket.secured());
    const emit = secure.emit.bind(secure);
    secure.emit = (name: string | symbol, ...given: unknown[]) => {
      if (name === 'error') errors.push(`${secure.listenerCount('error')} listeners`);
      return emit(name, ...given);
    };
    return secure;
  };
  const asked = { url: `https://127.0.0.1:${port}/`, addresses: [], method: 'GET', headers: {} };
  await expect(sendRequest(asked, AbortSignal.timeout(10_000), connect)).rejects.toThrow(
    'it switches to another protocol',
  );
  expect(errors.filter((one) => one.startsWith('0'))).toEqual([]);
});
