import type { SignedInUser } from '#domain/auth/contract.ts';
import type { OpenedRoom } from '#domain/rooms/contract.ts';

/** The data that the server writes into the call page, so that a call needs no first request. */
export interface Boot {
  user?: SignedInUser;
  room?: OpenedRoom;
  /** The server's time when it wrote the page: the first request of a call contains a time. */
  servedAt?: string;
}

/** Not validated: this server wrote it, and the first entry does not load zod. */
export function readBoot(from: Document): Boot {
  const text = from.getElementById('boot')?.textContent;
  if (!text) return {};
  const boot: Boot | null = JSON.parse(text);
  return boot ?? {};
}

/** The page's boot data. `room` is valid for one visit only: its token is short-lived. */
export const boot: Boot = {};

export const takeBoot = () => Object.assign(boot, readBoot(document));
