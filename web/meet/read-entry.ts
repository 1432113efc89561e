import type { ClosedBoot, MeetBoot } from '#domain/rooms/boot.ts';
import { readIdentity } from './identity.ts';

type Organization = { name: string; brandColor: string; logoUrl: string | null };
type RoomName = { id: string; topic: string };

/** How a person came to this page, and what they may join with. */
export type Entry =
  | {
      kind: 'guest';
      /** The key of this meeting in the tab's storage. */
      scope: string;
      token: string | null;
      organization: Organization | null;
      room: RoomName | null;
      /** Of a person whom the embedding product names. */
      name: string | null;
    }
  | { kind: 'staff'; scope: string; token: string | null }
  | {
      /** A guest whose call is a hosted page. */
      kind: 'hosted';
      scope: string;
      token: string;
      organization: Organization;
      room: RoomName;
      name: string | null;
    }
  | { kind: 'refused'; code: string; message: string }
  | ClosedBoot
  | { kind: 'nowhere' };

export type MeetingEntry = Extract<Entry, { kind: 'guest' | 'staff' }>;

export function isMeetingEntry(entry: Entry): entry is MeetingEntry {
  return entry.kind === 'guest' || entry.kind === 'staff';
}

/** Staff are named by their account, and a product's own users by their token, also after a reload. */
export const needsName = ({ kind, scope }: MeetingEntry): boolean =>
  kind === 'guest' && !scope.startsWith('/embed/');

/** Reads the boot text that the server wrote into a guest's page, otherwise the address of a staff page. */
export function readEntry(address: URL, bootText: string | null): Entry {
  const boot = bootText === null ? null : parseBoot(bootText);
  if (boot?.kind === 'refused' || boot?.kind === 'closed') return boot;
  if (boot?.kind === 'guest' || boot?.kind === 'hosted') {
    const { kind, meetingToken: token, organization, room, name = null } = boot;
    return { kind, scope: address.pathname, token, organization, room, name };
  }
  if (!/^\/meet\/[^/]+\/?$/.test(address.pathname)) return { kind: 'nowhere' };
  return { kind: 'staff', scope: address.pathname, token: address.searchParams.get('t') };
}

/**
 * A guest who was in the meeting and reloads the tab rejoins with the tab's own token, even if the
 * link admits no new guests: it has ended, or closing time has come. The server decides.
 */
export function orReturning(entry: Entry, scope: string, tabStorage: Storage): Entry {
  if (entry.kind !== 'refused' && entry.kind !== 'closed') return entry;
  if (readIdentity(tabStorage, scope)?.inMeeting !== true) return entry;
  return { kind: 'guest', scope, token: null, organization: null, room: null, name: null };
}

/** Not validated: this server wrote it. */
function parseBoot(text: string): MeetBoot | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the address without the token, which must stay out of the history and of screenshots. */
export function withoutToken(address: URL): string {
  const clean = new URL(address);
  clean.searchParams.delete('t');
  return clean.pathname + clean.search + clean.hash;
}
