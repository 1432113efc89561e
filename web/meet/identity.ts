import * as z from 'zod/mini';
import { StoredValue } from '#web/storage/stored-value.ts';

const identity = z.object({
  token: z.string(),
  /** In the meeting, not in its preview: after a reload the tab joins without a preview. */
  inMeeting: z.boolean(),
});
export type Identity = z.infer<typeof identity>;

/**
 * Returns this tab's identity in this meeting. It survives a reload, so that no participant appears
 * twice, and ends with the tab.
 */
export const readIdentity = (storage: Storage, scope: string): Identity | null =>
  storedIn(storage, scope).read();

export function keepIdentity(storage: Storage, scope: string, value: Identity): void {
  storedIn(storage, scope).write(value);
}

const storedIn = (storage: Storage, scope: string) =>
  new StoredValue(storage, `rapport.meeting:${scope}`, identity);
