import { hasShape, isBoolean, isText } from '#domain/shape.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

export type Identity = {
  token: string;
  /** In the meeting, not in its preview: after a reload the tab joins without a preview. */
  inMeeting: boolean;
};
const isIdentity = (value: unknown): value is Identity =>
  hasShape<Identity>(value, { token: isText, inMeeting: isBoolean });

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
  new StoredValue(storage, `rapport.meeting:${scope}`, isIdentity);
