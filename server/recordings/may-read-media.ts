import { rolesWith } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { sessionCheck } from '#server/platform/authority.ts';
import type { Statement } from '#server/platform/database.ts';
import { hasRequiredFactors } from '#server/platform/required-factors.ts';
import type { MediaAddress } from './media-url.ts';
import { isShownToStrangers } from './shown-to-strangers.ts';

const sharedMedia: Statement = {
  name: 'shared_media',
  text: `select from recording_shares s
    join recorded_tracks t on t.org_id = s.org_id and t.call_id = s.call_id
    join recorded_media m on m.org_id = t.org_id and m.track_id = t.id and m.id = $3
    where s.org_id = $1 and s.id = $2 and s.revoked_at is null and s.expires_at > now()
      and ${isShownToStrangers}`,
};
// As in the admission to a call: an address is no session, so that it must not outlive what sessions need now.
const withFactors: Statement = {
  name: 'reader_with_required_factors',
  text: `select exists (select from recorded_media where org_id = $1 and id = $3) as "isThere"
    from sessions s left join sign_in_policies p on p.org_id = $1
    where s.id = $2 and ${hasRequiredFactors}`,
};

/**
 * Checks that what the address was issued from still holds: the session, with the factors that the organization
 * requires, the membership, and its permission, or the share; and that the file exists.
 * @throws DomainError 401, 403, 404
 */
export async function requireMayRead(
  { run }: TenantConnection,
  { org, media, holder }: MediaAddress,
): Promise<void> {
  if ('share' in holder) {
    if ((await run(sharedMedia, [org, holder.share, media])).length === 0) throw ended();
    return;
  }
  const { statement, values } = memberCheck(org, holder);
  await run(statement, values);
  const [reader] = await run<{ isThere: boolean }>(withFactors, [org, holder.session, media]);
  if (!reader) throw ended();
  if (!reader.isThere) throw notFound();
}

const memberCheck = (
  orgId: OrgId,
  { session, account }: Extract<MediaAddress['holder'], { session: string }>,
) => sessionCheck({ id: session }, account, { orgId, roles: rolesWith('calls.read') });

const ended = () => new DomainError('forbidden', 'link_expired', 'This link has expired.');
