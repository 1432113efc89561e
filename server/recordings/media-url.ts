import { z } from 'zod';
import {
  type AccountId,
  accountId,
  type OrgId,
  orgId,
  type RecordedMediaId,
  recordedMediaId,
  type ShareId,
  shareId,
} from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';

/** How long a player may begin to load a file. One that plays on asks for new addresses before. */
export const mediaUrlSeconds = 15 * 60;
/** Pages that are opened within it get the same addresses, so that the browser's cache is used. */
const roundedSeconds = 5 * 60;

const purpose = 'recorded-media';
export const mediaPath = '/recordings/:org/:media/:what';

/** What an address was issued from. It ends with it: the session of a member, or a share. */
export type MediaHolder = { session: string; account: AccountId } | { share: ShareId };

const holder = z.union([
  z.object({ session: z.uuid(), account: accountId }),
  z.object({ share: shareId }),
]);
const file = z.object({
  org: orgId,
  media: recordedMediaId,
  what: z.enum(['media', 'poster']),
});
const proof = z.object({
  expires: z.coerce.number().int(),
  signature: z.string().max(100),
});
export type MediaAddress = z.infer<typeof file> & { holder: MediaHolder };

const queryOf = (of: MediaHolder): string =>
  'share' in of ? `share=${of.share}` : `session=${of.session}&account=${of.account}`;
const signed = ({ org, media, what, holder }: MediaAddress, expires: number, key: Buffer) =>
  sign(key, `${org}/${media}/${what}/${queryOf(holder)}/${expires}`);

/**
 * Returns an address under which the file can be read without a cookie, until it expires or what it was issued from
 * ends.
 */
export function mediaUrl(
  secrets: Secrets,
  { org, media, holder }: { org: OrgId; media: RecordedMediaId; holder: MediaHolder },
  what: MediaAddress['what'],
  now = Date.now(),
): string {
  const from = Math.ceil(now / 1000 / roundedSeconds) * roundedSeconds;
  const expires = from + mediaUrlSeconds;
  const key = secrets.key(purpose);
  const signature = signed({ org, media, what, holder }, expires, key).toString('base64url');
  return `/recordings/${org}/${media}/${what}?${queryOf(holder)}&expires=${expires}&signature=${signature}`;
}

/** Returns what the address names; null for one that is forged or expired. */
export function readMediaUrl(
  secrets: Secrets,
  given: object,
  now = Date.now(),
): MediaAddress | null {
  const [named, by, proven] = [
    file.safeParse(given),
    holder.safeParse(given),
    proof.safeParse(given),
  ];
  if (!named.success || !by.success || !proven.success) return null;
  const { expires } = proven.data;
  if (expires * 1000 < now) return null;
  const address = { ...named.data, holder: by.data };
  const signature = Buffer.from(proven.data.signature, 'base64url');
  const fits = secrets
    .keys(purpose)
    .some(({ key }) => sameBytes(signed(address, expires, key), signature));
  return fits ? address : null;
}
