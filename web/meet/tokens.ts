import * as z from 'zod/mini';
import type { Identity } from './identity.ts';
import type { MeetingEntry } from './read-entry.ts';

/**
 * The tokens to try, best first. A guest who reloads is the same person, so the tab's own token
 * goes first; staff are known by their account, and the address may be another account's.
 */
export function tokensToTry(entry: MeetingEntry, identity: Identity | null): string[] {
  const tokens =
    entry.kind === 'guest' ? [identity?.token, entry.token] : [entry.token, identity?.token];
  return tokens.filter((token) => token !== undefined && token !== null);
}

const invitation = z.object({ meetingToken: z.string() });

/** A fresh token for a guest whose page was open for so long that its own ran out. */
export async function freshGuestToken(scope: string): Promise<string | null> {
  try {
    const answer = await fetch(`/api${scope}`);
    return answer.ok ? z.parse(invitation, await answer.json()).meetingToken : null;
  } catch {
    return null;
  }
}
