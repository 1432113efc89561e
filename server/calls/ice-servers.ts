import { createHmac } from 'node:crypto';
import type { Config } from '#server/config.ts';

/** Lifetime of TURN credentials: longer than a call. */
const lifeSeconds = 12 * 3600;

/**
 * Returns the ICE servers for a page's RTCPeerConnection. TURN credentials are for one participant
 * and expire (TURN REST API: username `<expiry>:<user>`, credential base64(HMAC-SHA1(secret,
 * username))).
 */
export function iceServers(config: Config, participantId: string, now = Date.now()) {
  const servers: { urls: string[]; username?: string; credential?: string }[] = [];
  const list = (value: string) => value.split(',').map((url) => url.trim());
  if (config.STUN_URL) servers.push({ urls: list(config.STUN_URL) });
  if (config.TURN_URL && config.TURN_SECRET) {
    const username = `${Math.floor(now / 1000) + lifeSeconds}:${participantId}`;
    const credential = createHmac('sha1', config.TURN_SECRET).update(username).digest('base64');
    servers.push({ urls: list(config.TURN_URL), username, credential });
  }
  return servers;
}
