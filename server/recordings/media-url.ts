import type { OrgId, RecordedMediaId } from '#domain/ids.ts';
import { type Secrets, sign } from '#server/platform/secrets.ts';

/** How long a player may begin to load a file. One that plays on asks for new addresses before. */
const mediaUrlSeconds = 15 * 60;
/** Pages that are opened within it get the same addresses, so that the browser's cache is used. */
const roundedSeconds = 5 * 60;

/** Returns an address under which the file can be read without a session, until it expires. */
export function mediaUrl(
  secrets: Secrets,
  { org, media }: { org: OrgId; media: RecordedMediaId },
  what: 'media' | 'poster',
  now = Date.now(),
): string {
  const from = Math.ceil(now / 1000 / roundedSeconds) * roundedSeconds;
  const expires = from + mediaUrlSeconds;
  const key = secrets.key('recorded-media');
  const signature = sign(key, `${org}/${media}/${what}/${expires}`).toString('base64url');
  return `/recordings/${org}/${media}/${what}?expires=${expires}&signature=${signature}`;
}
