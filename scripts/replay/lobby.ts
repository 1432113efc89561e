import { LiveClient } from '#server/testing/live-client.ts';
import { wait } from './eventually.ts';
import { type Finding, hold } from './finding.ts';
import { enterAsHost, greet, guestToken, open, outcome, runningRoom } from './rooms.ts';
import type { Scene } from './scene.ts';

const crowding: Finding = {
  id: 'M10',
  async attack(scene) {
    const host = await scene.admin();
    const room = await runningRoom(host, { lobby: true });
    const ask = async (from: string, name: string) => {
      const line = await open(scene, from, await guestToken(scene.visitor(), room.link), { name });
      const came = await outcome(line);
      return { line, isWaiting: came === 'waiting' };
    };
    const crowd = (from: (n: number) => string) =>
      Promise.all(Array.from({ length: 60 }, (_, n) => ask(from(n), `False ${n}`)));
    const one = await crowd(() => '203.0.113.10');
    const network = await crowd((n) => `2001:db8:10:1::${(n + 1).toString(16)}`);
    const many = await crowd((n) => `203.0.113.${20 + (n % 12)}`);
    const count = (asked: typeof one) => asked.filter(({ isWaiting }) => isWaiting).length;
    hold(count(one) <= 5 && count(network) <= 5, `${count(one)} and ${count(network)} wait`);
    const customer = await ask('203.0.113.200', 'The customer');
    hold(customer.isWaiting, 'the customer is refused');
    const hosts = await enterAsHost(scene, host, room.id);
    const { guests } = await hosts.until('lobby', (list) => list.guests.length > 0);
    const place = guests.findIndex(({ name }) => name === 'The customer');
    hold(place >= 0, `the customer is not among the ${guests.length} that the host sees`);
    const previews = await previewsOf(scene);
    hold(previews <= 20, `${previews} of 40 guests of one address are in the preview`);
    for (const { line } of [...one, ...network, ...many, customer]) line.socket.terminate();
    hosts.socket.terminate();
    return `of 60 guests of one address ${count(one)} wait, of one IPv6 network ${count(network)}, of twelve addresses ${count(many)}; the customer is number ${place + 1} of the host's list; previews of one address: ${previews} of 40`;
  },
};

async function previewsOf(scene: Scene): Promise<number> {
  const room = await runningRoom(await scene.admin());
  const ready = await Promise.all(
    Array.from({ length: 40 }, async () => ({
      token: await guestToken(scene.visitor(), room.link),
      line: await LiveClient.open(scene.live, { 'x-forwarded-for': '203.0.113.12' }),
    })),
  );
  // Sent simultaneously: a limit that is checked before it is counted admits too many.
  for (const { line, token } of ready) greet(line, token);
  const lines = ready.map(({ line }) => line);
  await Promise.all(lines.map(outcome));
  await wait(1000);
  const here = lines.filter(({ socket }) => socket.readyState === socket.OPEN).length;
  for (const line of lines) line.socket.terminate();
  return here;
}

export const lobbyFindings = [crowding];
