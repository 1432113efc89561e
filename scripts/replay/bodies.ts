import { connect, type Socket } from 'node:net';
import { eventually, wait } from './eventually.ts';
import { type Finding, hold } from './finding.ts';
import { idleSocket, keepSending, worstFor } from './measure.ts';
import type { Person, Reply } from './person.ts';
import { runningRoom } from './rooms.ts';
import type { Scene } from './scene.ts';

const brackets = Buffer.alloc(1_800_000, '[');
const openDoors = [
  ...[
    '/api/login',
    '/api/login/passkey',
    '/api/register',
    '/api/sso/start',
    '/api/forgot-password',
  ],
  ...['/scim/v2/Users', '/sso/saml/0190a000-0000-7000-8000-000000000000/acs', '/nowhere'],
];

const parsing: Finding = {
  id: 'M1',
  when: 'alone',
  async attack(scene) {
    const corp = await scene.admin();
    const mallory = scene.visitor();
    const sent = { raw: brackets };
    const answers: string[] = [];
    for (const path of openDoors) {
      const { status, ms } = await mallory.send('POST', path, undefined, sent).catch(cutOff);
      hold(status === 0 || (status >= 400 && ms < 300), `${path} answers ${status} after ${ms} ms`);
      answers.push(`${path.split('/').slice(0, 4).join('/')} ${status || 'cut off'}`);
    }
    let turn = 0;
    const { worst, mean } = await worstFor(corp, () =>
      keepSending(3, 6, () => {
        turn += 1;
        return mallory.send('POST', openDoors[turn % openDoors.length] ?? '', undefined, sent);
      }),
    );
    hold(worst < 2500 && mean < 500, `everybody else waited ${mean} ms, at most ${worst} ms`);
    const inside = await scene.admin();
    const { callId } = await runningRoom(inside);
    const own = await worstFor(corp, () =>
      keepSending(3, 5, () => inside.send('PUT', `/api/calls/${callId}`, undefined, sent)),
    );
    hold(
      own.worst < 2500 && own.mean < 500,
      `by a signed-in account everybody else waited ${own.mean} ms, at most ${own.worst} ms`,
    );
    return `${answers.join(', ')}; three at a time for six seconds: others waited ${mean} ms, at most ${worst} ms (by a signed-in account on the route for notes ${own.mean} ms, at most ${own.worst} ms)`;
  },
};

const cutOff = () => ({ status: 0, ms: 0 });

/** Returns the head of a masked frame of 5.8 MB (RFC 6455), followed by only so many bytes. */
function unfinished(bytes: number): Buffer {
  const head = Buffer.alloc(14 + bytes, 'x');
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(5_800_000n, 2);
  return head;
}

const beforeHello: Finding = {
  id: 'M11',
  when: 'aside',
  async attack(scene) {
    const trickles = Array.from({ length: 10 }, (_, n) => trickle(scene, n));
    const opened = await Promise.all(
      Array.from({ length: 150 }, () => idleSocket(scene.live, '203.0.113.77')),
    );
    const sockets = opened.filter((socket) => socket !== null);
    hold(sockets.length <= 110, `${sockets.length} of 150 idle sockets of one address were taken`);
    const loud = sockets.slice(0, 40);
    const ends = loud.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of loud) {
      // Written below the library, which sends only whole messages.
      (socket as unknown as { _socket: Socket })._socket.write(unfinished(1_000_000));
    }
    const fast = await Promise.race([
      Promise.all(ends).then(() => true),
      wait(6000).then(() => false),
    ]);
    hold(fast, 'sockets with an unfinished message of 1 MB before hello stay open');
    const idle = sockets.slice(40);
    const allEnded = await eventually(() => idle.every(({ readyState }) => readyState === 3), 25);
    hold(allEnded, 'idle sockets stay open for 25 seconds');
    const seconds = await Promise.all(trickles);
    const slowest = Math.max(...seconds);
    hold(slowest < 75, `bodies that trickle stay open for ${slowest} seconds`);
    return `of 150 sockets of one address ${sockets.length} were taken; those with an unfinished message are cut off, idle ones end; ten trickling requests ended after ${Math.min(...seconds)} to ${slowest} seconds`;
  },
};

/**
 * Sends one byte a second: of the body, or for every third one of the headers. Resolves with the
 * time until the connection ended.
 */
function trickle({ url }: Scene, n: number): Promise<number> {
  const { port } = new URL(url);
  const began = Date.now();
  const socket = connect(Number(port), '127.0.0.1');
  const head = `POST /api/login HTTP/1.1\r\nhost: localhost:${port}\r\nx-forwarded-for: 203.0.113.${n}\r\n`;
  const body = `content-type: application/json\r\ncontent-length: 500\r\n\r\n{`;
  socket.write(n % 3 === 0 ? `${head}x-slow: ` : head + body);
  const timer = setInterval(() => socket.write(' '), 1000);
  socket.on('error', () => socket.destroy());
  socket.resume();
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      clearTimeout(late);
      socket.destroy();
      resolve(Math.round((Date.now() - began) / 1000));
    };
    const late = setTimeout(end, 80_000);
    socket.once('close', end);
  });
}

const svg = (size: number, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${inside}</svg>`;
const noise = '<filter id="f"><feTurbulence baseFrequency="0.9" numOctaves="400"/></filter>';
/** Takes longer to render than any image may. */
export const slowPicture = svg(
  4000,
  noise + '<rect width="4000" height="4000" filter="url(#f)"/>'.repeat(60),
);
export const plainPicture = svg(40, '<rect width="40" height="40" fill="red"/>');

export function uploadLogo(of: Person, picture: string): Promise<Reply> {
  const edge = 'edge-of-the-form';
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="logo.svg"`;
  const raw = `${head}\r\ncontent-type: image/svg+xml\r\n\r\n${picture}\r\n--${edge}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${edge}` };
  return of.send('POST', `/api/organizations/${of.user.orgId}/logo`, undefined, { raw, headers });
}

const slowPictures: Finding = {
  id: 'M13',
  when: 'alone',
  async attack(scene) {
    const attackers = [await scene.admin(), await scene.admin()];
    const corp = await scene.admin();
    const sent = attackers.flatMap((one) => [
      uploadLogo(one, slowPicture),
      uploadLogo(one, slowPicture),
    ]);
    await wait(1000);
    const { status, ms } = await uploadLogo(corp, plainPicture);
    const slows = await Promise.all(sent);
    const longest = Math.max(...slows.map((one) => one.ms));
    hold(
      status === 200 && ms < 20_000,
      `another organization's logo answers ${status} after ${ms} ms`,
    );
    return `four slow pictures of two organizations answer ${slows.map((one) => one.status).join(', ')} within ${Math.round(longest / 1000)} s; another organization's logo took ${(ms / 1000).toFixed(1)} s`;
  },
};

export const bodyFindings = [parsing, beforeHello, slowPictures];
