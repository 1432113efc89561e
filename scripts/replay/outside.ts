import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { samlConnection } from '#server/testing/requests.ts';
import { eventually, wait } from './eventually.ts';
import { type Finding, hold } from './finding.ts';
import type { Person } from './person.ts';
import type { Scene } from './scene.ts';

/** A server of an admin's own choice, which answers each connection in an odd way. */
async function oddServer(answer: (socket: Socket) => void): Promise<{ url: string; end(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${port}`, end };
}

/** Sends an event to this address. */
async function webhookTo(admin: Person, url: string) {
  const events = ['room.created'];
  const { id } = await admin.call('POST', '/api/webhooks', { url, events });
  await admin.call('POST', '/api/rooms', { topic: 'Sent to an odd server' });
  return id;
}

async function attemptsOf(admin: Person, webhook: string): Promise<number> {
  const [delivery] = await admin.call('GET', `/api/webhooks/${webhook}/deliveries`);
  if (!delivery) return 0;
  return (await admin.call('GET', `/api/webhook-deliveries/${delivery.id}`)).log.length;
}

const switchingProtocols: Finding = {
  id: 'R19-1',
  when: 'aside',
  async attack(scene: Scene) {
    const odd = await oddServer((socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: Upgrade\r\n\r\n',
      ),
    );
    try {
      const admin = await scene.admin();
      const webhook = await webhookTo(admin, `${odd.url}/`);
      const { id } = await admin.call('POST', '/api/sso/connections', {
        kind: 'oidc',
        name: 'Odd',
      });
      const settings = {
        issuer: odd.url,
        clientId: 'c',
        clientSecret: 's',
        entityId: '',
        ssoUrl: '',
      };
      const body = samlConnection({ ...settings, certificate: '' });
      const answer = await Promise.race([
        admin.send('PUT', `/api/sso/connections/${id}`, body),
        wait(20_000).then(() => null),
      ]);
      hold(answer !== null, 'an issuer that answers 101 keeps a request, and its place, for ever');
      const isNoted = await eventually(async () => (await attemptsOf(admin, webhook)) > 0, 20);
      hold(isNoted, 'a webhook that is answered 101 keeps one of the 500 places for ever');
      return `a webhook that is answered 101 is a failed attempt; an issuer that does is refused: ${answer.status}`;
    } finally {
      odd.end();
    }
  },
};

const interimAnswers: Finding = {
  id: 'R19-2',
  when: 'aside',
  async attack(scene: Scene) {
    let endedAfterMs: number | null = null;
    const odd = await oddServer((socket) => {
      const began = performance.now();
      socket.once('close', () => {
        endedAfterMs ??= performance.now() - began;
      });
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    try {
      await webhookTo(await scene.admin(), `${odd.url}/`);
      await eventually(() => endedAfterMs !== null, 25);
      hold(endedAfterMs !== null && endedAfterMs < 8_000, 'interim answers are read without end');
      return `a request that gets interim answers only ends after ${Math.round(endedAfterMs)} ms`;
    } finally {
      odd.end();
    }
  },
};

/** Of the nineteenth review: servers that admins name. */
export const outsideFindings: Finding[] = [switchingProtocols, interimAnswers];
