import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { liveKit } from '#server/providers/video/livekit.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import type { MediaServer } from '#server/providers/video/media-server.ts';
import { ownPage } from '#server/providers/video/own-page.ts';
import { VideoEngineError } from '#server/providers/video/port.ts';

export const fakeMediaKey = {
  apiKey: 'key',
  apiSecret: 'a secret that is long enough for LiveKit',
};

/**
 * A media server whose rooms can die. Access tokens and events are LiveKit's own; its commands are
 * recorded.
 */
export function fakeMediaServer(name: 'builtin' | 'livekit') {
  const real = liveKit({ urls: ['ws://127.0.0.1:1'], ...fakeMediaKey });
  const orders: string[] = [];
  const dead = new Set<string>();
  const keep = async (order: string) => void orders.push(order);
  const server: MediaServer = {
    ...real,
    place: async (rooms: readonly MediaRoom[]) => {
      const [room] = rooms;
      if (!room) throw new VideoEngineError('none');
      await keep(`place ${room.id}`);
      return room;
    },
    isAlive: async (room) => !dead.has(room.id),
    mute: (room, person) => keep(`mute ${room.id} ${person}`),
    remove: (room, person) => keep(`remove ${room.id} ${person}`),
    close: (room) => keep(`close ${room.id}`),
  };
  return { video: ownPage(name, server), orders, dead };
}

interface Told {
  id: string;
  event: string;
  room: MediaRoom;
  identity?: string;
  disconnectReason?: string;
}

/** Returns the body and signature of an event, as LiveKit sends them. */
export async function signedEvent(
  { id, event, room, identity, disconnectReason }: Told,
  secret = fakeMediaKey.apiSecret,
  expiresAt: number | string = '5 minutes',
) {
  const told = {
    id,
    event,
    room: { name: `${room.orgId}.${room.roomId}.${room.id}` },
    ...(identity && { participant: { identity, ...(disconnectReason && { disconnectReason }) } }),
  };
  return signed(told, secret, expiresAt);
}

/** Returns a livekit.WebhookEvent as LiveKit sends it. */
export async function signed(
  event: object,
  secret = fakeMediaKey.apiSecret,
  expiresAt: number | string = '5 minutes',
) {
  const body = JSON.stringify(event);
  const sha256 = createHash('sha256').update(body).digest('base64');
  const authorization = await new SignJWT({ sha256 })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(fakeMediaKey.apiKey)
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(secret));
  return { body, authorization };
}
