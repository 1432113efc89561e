import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { decodeJwt } from 'jose';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { enter, LiveClient } from './live-client.ts';
import type { TestApp } from './open-test-app.ts';
import { Visitor } from './visitor.ts';

export const bothOn = { audio: true, video: true };

/** Returns a token that the room's link gives to a person without an account. */
export async function guestTokenOf(
  app: TestApp,
  staff: Visitor,
  id: string,
  cookie = '',
): Promise<string> {
  const { url } = await staff.call(readGuestLink, { params: { id } });
  const path = `/api/join/${url.split('/').at(-1)}`;
  const { body } = await new Visitor(app).send('GET', path, undefined, { cookie });
  return (body as { meetingToken: string }).meetingToken;
}

export const staffTokenOf = async (staff: Visitor, id: string) =>
  (await staff.call(openRoom, { params: { id } })).meetingToken;

/** Stores a guest who waits in a room's lobby. @returns the guest's id */
export async function storeWaitingGuest(
  app: TestApp,
  orgId: string | null,
  roomId: string,
): Promise<string> {
  const id = randomUUID();
  await app.owner.query(
    'insert into lobby_entries (participant_id, org_id, room_id, name) values ($1, $2, $3, $4)',
    [id, orgId, roomId, 'Samuel'],
  );
  return id;
}

/** Sends hello as a meeting page; without a name, as the preview, which does not ask for admission yet. */
export async function hello(
  url: string,
  token: string,
  name?: string,
  headers: Record<string, string> = {},
): Promise<LiveClient> {
  const page = await LiveClient.open(url, headers);
  greet(page, token, name);
  return page;
}

export function greet(page: LiveClient, token: string, name?: string): void {
  page.send({
    type: 'hello',
    protocol: protocolVersion,
    channel: 'meeting',
    token,
    ...(name === undefined ? {} : { name, media: bothOn }),
  });
}

/** Returns the type of the first message to a page, or the code with which its socket was closed. */
export const firstAnswer = (page: LiveClient): Promise<string | number> =>
  Promise.race([once(page.socket, 'message').then(() => page.heard[0]?.type ?? ''), page.closed]);

/**
 * A guest whom a host admits from a room's lobby, and who does not enter.
 * @param by the admin, whose link the guest follows, and the host
 * @returns the guest's token
 */
export async function admittedGuest(
  { app, url }: { app: TestApp; url: string },
  by: { admin: Visitor; host: Visitor },
  id: string,
): Promise<string> {
  const token = await guestTokenOf(app, by.admin, id);
  const guest = await hello(url, token, 'Cleo');
  const waiting = await guest.until('waiting', ({ since }) => since !== null);
  const host = await enter(url, await staffTokenOf(by.host, id));
  host.send({ type: 'admit', guests: [String(decodeJwt(token).participantId)] });
  await guest.until('let-in');
  await guest.drop();
  return waiting.token;
}
