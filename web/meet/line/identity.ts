import * as z from 'zod/mini';

const identity = z.object({
  token: z.string(),
  /** In the meeting, not in its preview: a reload of the tab goes straight back in. */
  inMeeting: z.boolean(),
});
export type Identity = z.infer<typeof identity>;

/**
 * Who this tab is in this meeting. It survives a reload, so that nobody appears twice, and ends
 * with the tab.
 */
export function readIdentity(storage: Storage, scope: string): Identity | null {
  try {
    const parsed = z.safeParse(identity, JSON.parse(storage.getItem(keyOf(scope)) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function keepIdentity(storage: Storage, scope: string, value: Identity): void {
  try {
    storage.setItem(keyOf(scope), JSON.stringify(value));
  } catch {
    // A browser that stores nothing: a reload then comes in as somebody new.
  }
}

const keyOf = (scope: string) => `rapport.meeting:${scope}`;
