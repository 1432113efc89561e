import { z } from 'zod';
import { type OrgId, orgId, type RecordedMediaId, recordedMediaId } from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';

/** How long a player may begin to load a file. One that plays on asks for new addresses before. */
export const mediaUrlSeconds = 15 * 60;
/** Pages that are opened within it get the same addresses, so that the browser's cache is used. */
const roundedSeconds = 5 * 60;

const purpose = 'recorded-media';
export const mediaPath = '/recordings/:org/:media/:what';

const address = z.object({
  org: orgId,
  media: recordedMediaId,
  what: z.enum(['media', 'poster']),
  expires: z.coerce.number().int(),
  signature: z.string().max(100),
});
export type MediaAddress = Pick<z.infer<typeof address>, 'org' | 'media' | 'what'>;

const signed = (of: MediaAddress & { expires: number }, key: Buffer) =>
  sign(key, `${of.org}/${of.media}/${of.what}/${of.expires}`);

/** Returns an address under which the file can be read without a session, until it expires. */
export function mediaUrl(
  secrets: Secrets,
  { org, media }: { org: OrgId; media: RecordedMediaId },
  what: MediaAddress['what'],
  now = Date.now(),
): string {
  const from = Math.ceil(now / 1000 / roundedSeconds) * roundedSeconds;
  const of = { org, media, what, expires: from + mediaUrlSeconds };
  const signature = signed(of, secrets.key(purpose)).toString('base64url');
  return `/recordings/${org}/${media}/${what}?expires=${of.expires}&signature=${signature}`;
}

/** Returns what the address names; null for one that is forged or expired. */
export function readMediaUrl(
  secrets: Secrets,
  given: object,
  now = Date.now(),
): MediaAddress | null {
  const parsed = address.safeParse(given);
  if (!parsed.success || parsed.data.expires * 1000 < now) return null;
  const signature = Buffer.from(parsed.data.signature, 'base64url');
  const fits = secrets
    .keys(purpose)
    .some(({ key }) => sameBytes(signed(parsed.data, key), signature));
  return fits ? parsed.data : null;
}
