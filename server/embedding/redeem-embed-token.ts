import { DomainError, notFound } from '#domain/errors.ts';
import {
  type BrowserId,
  type GuestLinkId,
  participantId,
  type RoomId,
  roomId,
} from '#domain/ids.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { admitVisitor } from '#server/rooms/admit-visitor.ts';
import { followGuestLink } from '#server/rooms/follow-guest-link.ts';
import { roomClosedNow } from '#server/rooms/invite-guest.ts';
import { mintMeetingToken } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { readEmbedToken } from './embed-token.ts';

interface TokenRow {
  guest_link_id: GuestLinkId;
  name: string;
  browser_id: BrowserId | null;
  is_admitted: boolean;
  is_used: boolean;
  is_expired: boolean;
}

// A token of the API, and what was made with it, end together.
const isOfWorkingToken = '(api_token_id is null or api_token_works(org_id, api_token_id))';
const read: Statement = {
  name: 'read_embed_token',
  text: `select guest_link_id, name, browser_id, is_admitted,
      used_at is not null as is_used, expires_at <= now() or not ${isOfWorkingToken} as is_expired
    from embed_tokens where org_id = $1 and id = $2 and room_id = $3`,
};
// Of two uses at the same moment, the second waits here for the first, and finds the token used.
const use: Statement = {
  name: 'use_embed_token',
  text: `update embed_tokens set used_at = now()
    where org_id = $1 and id = $2 and used_at is null and expires_at > now()
      and ${isOfWorkingToken} returning id`,
};
// Counts from when the token was made: whatever closed the room to newcomers since then holds for this person, too.
// After a removal, whoever is not named by the product may be the one who was removed, and must ask.
const admit: Statement = {
  name: 'admit_embedded_guest',
  text: `insert into lobby_entries (participant_id, org_id, room_id, name, browser_id, guest_link_id,
      address, state, decided_at, decided_by, is_of_program, program_id)
    select $3, org_id, room_id, name, $4, guest_link_id, $5, 'admitted', created_at, created_by,
      is_of_program, api_token_id
    from embed_tokens e where org_id = $1 and id = $2
      and (e.browser_id is not null or not exists (select from calls c
        join call_removals x on x.org_id = c.org_id and x.call_id = c.id
        where c.org_id = e.org_id and c.room_id = e.room_id and c.ended_at is null))`,
};

interface Visit {
  /** The room in the address. */
  room: string;
  token: string;
  /** By its cookie; a person whom the product names is recognized without one. */
  browser: BrowserId;
  address: string;
  publicUrl: string;
}

/**
 * Uses up a token for an embedded call.
 * @returns the room, and a meeting token for this person
 * @throws DomainError 404 for a forged token or one of another room, 409 outside the room's opening hours, 410 for
 * one that was used, has expired, or whose room is archived or token of the API revoked, 503
 */
export async function redeemEmbedToken(services: Services, visit: Visit) {
  const ids = readEmbedToken(services.secrets, visit.token);
  const room = roomId.safeParse(visit.room).data;
  if (!ids || !room) throw notFound();
  const asker = tenantOf(
    services.database,
    { kind: 'system' as const, name: 'embed-token', orgId: ids.orgId },
    visit.address,
  );
  const row = await usableToken(asker, ids.id, room);
  const found = await followGuestLink(asker, row.guest_link_id);
  if (!found.opening.isOpen) throw closedNow();
  const browserId = row.browser_id ?? visit.browser;
  const guest = newId(participantId);
  await asker.transaction(async (tx) => {
    if ((await tx.run(use, [ids.orgId, ids.id])).length === 0) throw usedUp();
    if (!row.is_admitted) return;
    await tx.run(admit, [ids.orgId, ids.id, guest, browserId, addressKey(visit.address)]);
  });
  const claims = {
    kind: 'guest' as const,
    participantId: guest,
    orgId: ids.orgId,
    roomId: room,
    guestLinkId: row.guest_link_id,
    browserId,
    name: row.name,
  };
  const meetingToken = services.video.page
    ? await mintMeetingToken(services.secrets, claims)
    : (
        await admitVisitor(services, asker, claims, {
          name: row.name,
          publicUrl: visit.publicUrl,
          isHost: false,
          mustKnock: false,
        })
      ).meetingToken;
  const { organization, topic } = found;
  return { organization, room: { id: room, topic }, meetingToken, name: row.name };
}

async function usableToken(tenant: Tenant, id: string, room: RoomId): Promise<TokenRow> {
  const [row] = await tenant.connection(({ run }) => run<TokenRow>(read, [tenant.orgId, id, room]));
  if (!row) throw notFound();
  if (row.is_used) throw usedUp();
  if (row.is_expired) {
    const message = 'This page was open for too long. Reload it to join the call.';
    throw new DomainError('gone', 'embed_token_expired', message);
  }
  return row;
}

const usedUp = () =>
  new DomainError(
    'gone',
    'embed_token_used',
    'This call was already opened with this page. Reload the page to join again.',
  );

const closedNow = () =>
  new DomainError('conflict', roomClosedNow, 'This room is closed right now. Try again later.');
