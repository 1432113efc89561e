import { rolesWith } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { OrgId, RecordedMediaId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { sessionCheck } from '#server/platform/authority.ts';
import type { Statement } from '#server/platform/database.ts';
import { hasRequiredFactors } from '#server/platform/required-factors.ts';
import type { MediaAddress, MediaHolder } from './media-url.ts';
import { isShownToStrangers } from './shown-to-strangers.ts';

const sharedMedia: Statement = {
  name: 'shared_media',
  text: `select m.id from recording_shares s
    join recorded_tracks t on t.org_id = s.org_id and t.call_id = s.call_id
    join recorded_media m on m.org_id = t.org_id and m.track_id = t.id and m.id = any ($3::uuid[])
    where s.org_id = $1 and s.id = $2 and s.revoked_at is null and s.expires_at > now()
      and ${isShownToStrangers}`,
};
// As in the admission to a call: an address is no session, so that it must not outlive what sessions need now.
const withFactors: Statement = {
  name: 'reader_with_required_factors',
  text: `select array(
      select m.id::text from recorded_media m where m.org_id = $1 and m.id = any ($3::uuid[])
    ) as there
    from sessions s left join sign_in_policies p on p.org_id = $1
    where s.id = $2 and ${hasRequiredFactors}`,
};

/** Whose files are read, and which. */
export interface FilesOfHolder {
  org: OrgId;
  holder: MediaHolder;
  media: readonly RecordedMediaId[];
}

/**
 * Checks that what addresses were issued from still holds: the session, with the factors that the organization
 * requires, the membership, and its permission, or the share.
 * @returns those of the files that exist, and that a share still shows
 * @throws DomainError 401, 403
 */
export async function readableMedia(
  { run }: TenantConnection,
  { org, holder, media }: FilesOfHolder,
): Promise<ReadonlySet<RecordedMediaId>> {
  if ('share' in holder) {
    const shown = await run<{ id: RecordedMediaId }>(sharedMedia, [org, holder.share, media]);
    return new Set(shown.map(({ id }) => id));
  }
  const { statement, values } = memberCheck(org, holder);
  await run(statement, values);
  const [reader] = await run<{ there: RecordedMediaId[] }>(withFactors, [
    org,
    holder.session,
    media,
  ]);
  if (!reader) throw ended();
  return new Set(reader.there);
}

/**
 * Checks that an address still holds, as `readableMedia`, and that its file exists.
 * @throws DomainError 401, 403, 404
 */
export async function requireMayRead(
  connection: TenantConnection,
  { org, media, holder }: MediaAddress,
): Promise<void> {
  const readable = await readableMedia(connection, { org, holder, media: [media] });
  if (!readable.has(media)) throw isGone(holder);
}

/** Of a file that is not among those that its holder may read. */
export const isGone = (holder: MediaHolder) => ('share' in holder ? ended() : notFound());

const memberCheck = (
  orgId: OrgId,
  { session, account }: Extract<MediaAddress['holder'], { session: string }>,
) => sessionCheck({ id: session }, account, { orgId, roles: rolesWith('calls.read') });

const ended = () => new DomainError('forbidden', 'link_expired', 'This link has expired.');
