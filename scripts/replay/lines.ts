import { type Finding, hold, prepared } from './finding.ts';
import {
  bothOn,
  closedWithin,
  enterAsHost,
  guestToken,
  open,
  outcome,
  previewToken,
  runningRoom,
  staffToken,
} from './rooms.ts';
import { password, type Scene } from './scene.ts';

async function enters(scene: Scene, from: string, token: string) {
  const line = await open(scene, from, token, { name: 'Cleo' });
  const came = await outcome(line);
  line.socket.terminate();
  return came;
}

const withdrawnLink: Finding = {
  id: 'H7',
  async attack(scene) {
    const host = await scene.admin();
    const room = await runningRoom(host);
    const guest = scene.visitor();
    const main = await previewToken(scene, guest, room.link);
    const named = await host.call('POST', `/api/rooms/${room.id}/guest-links`, { name: 'Cleo' });
    const second = await previewToken(scene, guest, named.url.split('/').at(-1));
    const inside = await open(scene, guest.address, await guestToken(guest, room.link), {
      name: 'Bo',
    });
    const { token: kept } = await inside.until('welcome');
    await host.call('POST', `/api/rooms/${room.id}/guest-link`);
    await host.call('DELETE', `/api/guest-links/${named.id}`);
    const still = [
      await enters(scene, guest.address, main.token),
      await enters(scene, guest.address, second.token),
    ];
    hold(!still.includes('in'), `tokens of withdrawn links answer ${still}`);
    await host.call('PUT', `/api/calls/${room.callId}`, { endedAt: new Date().toISOString() });
    await host.call('POST', '/api/calls', { roomId: room.id });
    const next = await enters(scene, guest.address, kept);
    hold(next !== 'in', 'who was in a call enters the next one by a withdrawn link');
    for (const line of [main.line, second.line, inside]) line.socket.terminate();
    return `tokens of a renewed and of a revoked link are closed with ${still.join(' and ')}; that of a guest who was inside with ${next} in the next call`;
  },
};

const endedSessions: Finding = {
  id: 'H8',
  when: 'aside',
  async attack(scene) {
    const admin = await scene.admin();
    const ben = await scene.member(admin, 'AGENT');
    const room = await runningRoom(ben);
    const ends: [string, () => Promise<unknown>][] = [
      ['sign out everywhere', () => admin.call('DELETE', `/api/users/${ben.user.id}/sessions`)],
      ['signing out', () => ben.call('POST', '/api/logout')],
      ['a new password', () => resetOf(scene, ben.email)],
    ];
    const seen: string[] = [];
    for (const [how, end] of ends) {
      if (how !== ends[0]?.[0]) await scene.signIn(ben);
      const first = await staffToken(ben, room.id);
      const line = await open(scene, ben.address, first, { channel: 'panel' });
      const { token } = await line.until('welcome');
      await end();
      const code = await closedWithin(line, 5);
      hold(code !== null, `after ${how} the line is open for five seconds`);
      const again = await open(scene, ben.address, token, { media: bothOn });
      const came = await outcome(again);
      hold(typeof came === 'number', `after ${how} a hello with the old token is ${came}`);
      seen.push(`${how}: closed with ${code}, a new hello with ${came}`);
    }
    return seen.join('; ');
  },
};

async function resetOf(scene: Scene, email: string): Promise<void> {
  await scene.visitor().call('POST', '/api/forgot-password', { email });
  const token = await scene.sink.token(email, 'reset-password');
  await scene.visitor().call('POST', `/api/reset-password/${token}`, { password });
}

const flooded: Finding = {
  id: 'M2',
  async attack(scene) {
    const host = await scene.admin();
    const room = await runningRoom(host);
    const hosts = await enterAsHost(scene, host, room.id);
    const before = hosts.heard.length;
    const outside = await previewToken(scene, scene.visitor(), room.link);
    const guest = scene.visitor();
    const entered = await open(scene, guest.address, await guestToken(guest, room.link), {
      name: 'Bo',
    });
    await entered.until('welcome');
    const signal = (bytes: number) => ({
      type: 'signal' as const,
      to: hosts.self,
      signal: { connection: 'c', description: { type: 'offer' as const, sdp: 'v'.repeat(bytes) } },
    });
    for (let n = 0; n < 60; n += 1) outside.line.send(signal(19_000));
    await outside.line.settled().catch(() => null);
    const heard = () => hosts.heard.slice(before).filter(({ type }) => type === 'signal').length;
    await hosts.settled();
    hold(heard() === 0, `${heard()} signals of a guest in the preview reached the host`);
    for (let n = 0; n < 170; n += 1) entered.send(signal(19_000));
    const code = await closedWithin(entered, 5);
    await hosts.settled();
    hold(code !== null && heard() < 60, `inside: ${heard()} signals relayed, closed with ${code}`);
    outside.line.socket.terminate();
    const big = await previewToken(scene, scene.visitor(), room.link);
    big.line.send(signal(190_000));
    const refused = await closedWithin(big.line, 5);
    hold(refused !== null, 'a signal of 190 kB is taken');
    hosts.socket.terminate();
    return `of 60 signals from the preview none reached the host; of 170 from inside ${heard()}, then the guest was closed with ${code}; one of 190 kB closes with ${refused}; the host stayed`;
  },
};

const silentReaders: Finding = {
  id: 'M3',
  async attack(scene) {
    const host = await scene.admin();
    const room = await runningRoom(host);
    const link = { name: 'Once', singleUse: true };
    const named = await host.call('POST', `/api/rooms/${room.id}/guest-links`, link);
    const token = named.url.split('/').at(-1);
    const reader = await previewToken(scene, scene.visitor(), token);
    const hosts = await enterAsHost(scene, host, room.id);
    const first = scene.visitor();
    const entered = await open(scene, first.address, await guestToken(first, token), {
      name: 'Cleo',
    });
    const first_ = await outcome(entered);
    prepared(first_ === 'in', `the first guest of the link was not let in: ${first_}`);
    hosts.send({ type: 'chat', id: 'one', text: 'a word among us' });
    hosts.send({ type: 'react', reaction: '🎉' });
    await entered.until('chat');
    await reader.line.settled().catch(() => null);
    const kinds = [...new Set(reader.line.heard.map(({ type }) => type))];
    const read = JSON.stringify(reader.line.heard);
    hold(!/a word among us|Cleo|Last/.test(read), `a silent reader heard ${kinds}`);
    const later = await scene.visitor().send('GET', `/api/join/${token}`);
    hold(later.status === 410, `the used link answers ${later.status}`);
    const came = await enters(scene, '198.51.100.1', reader.token);
    hold(came !== 'in', 'a second guest came in by a link for one');
    for (const line of [reader.line, hosts, entered]) line.socket.terminate();
    return `in the preview of a link for one guest only ${kinds.join(', ')} are heard; once used the link answers 410, and the token from before is ${came}`;
  },
};

const falseName: Finding = {
  id: 'S4 (a guest called like a host)',
  async attack(scene) {
    const host = await scene.admin();
    const room = await runningRoom(host);
    const hosts = await enterAsHost(scene, host, room.id);
    const guest = scene.visitor();
    const name = '\u200eFirst\u200b \u2060Last\u200f\u3164';
    const line = await open(scene, guest.address, await guestToken(guest, room.link), { name });
    await line.until('welcome');
    const joined = await hosts.until('joined', ({ participant }) => participant.kind === 'guest');
    for (const one of [hosts, line]) one.socket.terminate();
    const shown = joined.participant.name;
    hold(/^[ -~]+$/.test(shown), `invisible characters stay: ${JSON.stringify(shown)}`);
    return `invisible characters are cut: ${JSON.stringify(shown)}; the page is told that it is a guest. The same visible name stays possible`;
  },
};

export const lineFindings = [withdrawnLink, endedSessions, flooded, silentReaders, falseName];
