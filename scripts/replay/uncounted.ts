import { connect } from 'node:net';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import type { Person } from './person.ts';
import { password, type Scene } from './scene.ts';

// Of the twenty-first review: work that was counted, and then done all the same.

/** Sends requests in one piece, and resolves when the connection is closed. */
function sendTogether({ url }: Scene, who: Person, requests: readonly string[]): Promise<void> {
  const { host, port } = new URL(url);
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const text = requests.map((body) =>
    [
      'POST /api/rooms HTTP/1.1',
      `Host: ${host}`,
      `X-Forwarded-For: ${who.address}`,
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(text.join(''));
  const late = setTimeout(() => socket.destroy(), 5_000);
  return new Promise((resolve) =>
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    }),
  );
}

const pipelined: Finding = {
  id: 'R21-51 (requests behind the tenth of a connection)',
  async attack(scene) {
    const eve = await scene.admin();
    const count = async () => (await eve.call('GET', '/api/rooms?limit=200')).length;
    const before = await count();
    const topics = Array.from({ length: 20 }, (_, n) => JSON.stringify({ topic: `T${n}` }));
    await sendTogether(scene, eve, topics);
    await eventually(async () => (await count()) > before + 10, 3);
    const made = (await count()) - before;
    hold(made <= 10, `${made} of 20 requests that came in one piece were handled`);
    return `of 20 requests that come in one piece, ${made} are handled`;
  },
};

const ownPasswords: Finding = {
  id: 'R21-1 (right passwords, again and again)',
  async attack(scene) {
    const eve = await scene.admin();
    let right = 0;
    let refused = 0;
    const lane = async () => {
      for (let n = 0; n < 10; n += 1) {
        const { status } = await eve.send('POST', '/api/user/confirm', { password });
        if (status === 204) right += 1;
        if (status === 429) refused += 1;
      }
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    prepared(right > 0, 'the right password was not accepted');
    hold(refused > 0, `one account had its password compared ${right} times without a wait`);
    return `of 40 right passwords of one account, ${right} were compared`;
  },
};

export const uncountedFindings: Finding[] = [pipelined, ownPasswords];
