import { heartbeatSeconds, type ToServer } from '#domain/calls/live.ts';
import { LiveClient } from '#server/testing/live-client.ts';
import { eventually, NotReplayed } from './eventually.ts';
import type { Person } from './person.ts';
import type { Scene } from './scene.ts';

export const bothOn = { audio: true, video: true };
type Hello = Extract<ToServer, { type: 'hello' }>;

export interface RunningRoom {
  id: string;
  callId: string;
  /** The main guest link. */
  link: string;
}

export async function runningRoom(host: Person, more: object = {}): Promise<RunningRoom> {
  const { id } = await host.call('POST', '/api/rooms', { topic: 'Review', ...more });
  const { id: callId } = await host.call('POST', '/api/calls', { roomId: id });
  const { url } = await host.call('GET', `/api/rooms/${id}/guest-link`);
  return { id, callId, link: url.split('/').at(-1) };
}

export const staffToken = async (host: Person, roomId: string): Promise<string> =>
  (await host.call('GET', `/api/rooms/${roomId}`)).meetingToken;

export const guestToken = async (guest: Person, link: string): Promise<string> =>
  (await guest.call('GET', `/api/join/${link}`)).meetingToken;

/** Opens a socket and sends hello; with a name it asks to join immediately. */
export async function open(scene: Scene, from: string, token: string, hello: Partial<Hello> = {}) {
  const line = await LiveClient.open(scene.live, { 'x-forwarded-for': from });
  const pings = setInterval(
    () => line.send({ type: 'ping', sequence: 0 }),
    heartbeatSeconds * 1000,
  );
  line.closed.then(() => clearInterval(pings));
  greet(line, token, hello);
  return line;
}

export function greet(line: LiveClient, token: string, hello: Partial<Hello> = {}): void {
  const media = hello.name === undefined ? {} : { media: bothOn };
  line.send({ type: 'hello', protocol: 1, channel: 'meeting', token, ...media, ...hello });
}

export async function enterAsHost(scene: Scene, host: Person, roomId: string) {
  const line = await open(scene, host.address, await staffToken(host, roomId), { media: bothOn });
  const { self } = await line.until('welcome');
  return Object.assign(line, { self });
}

/** Returns the first result of a hello: admitted, waiting, or closed with a code. */
export async function outcome(line: LiveClient): Promise<'in' | 'waiting' | number> {
  let code: number | null = null;
  line.closed.then((closed) => {
    code = closed;
  });
  const heard = (type: 'welcome' | 'waiting') => line.all(type).length > 0;
  await eventually(() => code !== null || heard('welcome') || heard('waiting'), 10);
  if (heard('welcome')) return 'in';
  return heard('waiting') ? 'waiting' : (code ?? 0);
}

/** Returns the close code within so many seconds; null if the socket is still open. */
export function closedWithin(line: LiveClient, seconds: number): Promise<number | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, seconds * 1000, null));
  return Promise.race([line.closed, late]);
}

/** Returns the token of a guest in the preview, as the server renews it. */
export async function previewToken(scene: Scene, guest: Person, link: string) {
  const line = await open(scene, guest.address, await guestToken(guest, link));
  const { token } = await line.until('waiting').catch(() => {
    throw new NotReplayed('a guest in the preview was not made to wait');
  });
  return { line, token };
}
