import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';

const note: Statement = {
  name: 'note_guest_link_use',
  text: `insert into guest_link_uses (guest_link_id, participant_id, org_id)
    select g.id, $3, g.org_id from guest_links g where g.org_id = $1 and g.id = $2
    on conflict do nothing returning guest_link_id`,
};
// Of two concurrent uses, the second waits here for the first, and finds the link used.
const count: Statement = {
  name: 'count_guest_link_use',
  text: `update guest_links set use_count = use_count + 1
    where org_id = $1 and id = $2 and (use_limit is null or use_count < use_limit)
    returning id`,
};

/**
 * Reserves a link for one guest to this guest.
 * @throws NotAdmitted when it belongs to another
 */
export async function takeLimitedLink(admitted: Admitted): Promise<void> {
  if (admitted.isByLimitedLink) await noteUse(admitted);
}

/** Counts a guest who joined by a link without a limit. The join does not wait for it. */
export async function countUse(admitted: Admitted): Promise<void> {
  if (!admitted.isByLimitedLink) await noteUse(admitted);
}

async function noteUse({ tenant, claims }: Admitted): Promise<void> {
  if (claims.kind !== 'guest') return;
  const { orgId, guestLinkId, participantId } = claims;
  await tenant.transaction(async (tx) => {
    const noted = await tx.run(note, [orgId, guestLinkId, participantId]);
    if (noted.length === 0) return;
    if ((await tx.run(count, [orgId, guestLinkId])).length === 0) {
      throw new NotAdmitted(closeCodes.tokenRefused, 'guest link used');
    }
  });
}
