import type { z } from 'zod';
import { DomainError, invalid, notFound } from '#domain/errors.ts';
import { type GuestLinkId, greatestId, guestLinkId, type RoomId } from '#domain/ids.ts';
import { type createLinkBody, mostValidLinks, type NamedLink } from '#domain/links/contract.ts';
import type { PageQuery } from '#domain/paging.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseUnshared } from '#server/rooms/guest-link-store.ts';
import { findRoom } from '#server/rooms/store.ts';
import { guestLinks } from '#server/rooms/tables.ts';
import { lockRoom } from './lock-room.ts';

/** A link without its URL, which the routes create. */
export type LinkRecord = Omit<NamedLink, 'url'>;

interface LinkRow {
  id: GuestLinkId;
  room_id: RoomId;
  name: string;
  created_at: Date;
  creator: NamedLink['createdBy'];
  expires_at: Date | null;
  use_limit: number | null;
  use_count: number;
  revoked_at: Date | null;
  expired: boolean;
}

const selectLinks = `
  select g.id, g.room_id, g.name, g.created_at, g.expires_at, g.use_limit, g.use_count, g.revoked_at,
    g.expires_at is not null and g.expires_at <= now() as expired,
    (select json_build_object('firstName', a.first_name, 'email', a.email)
       from known_people a where a.id = g.created_by) as creator
  from guest_links g`;
const ofRoom: Statement = {
  name: 'named_links_of_room',
  text: `${selectLinks}
    where g.org_id = $1 and g.room_id = $2 and g.name is not null and g.id < $3
    order by g.id desc limit $4`,
};
const byId: Statement = {
  name: 'named_link_by_id',
  text: `${selectLinks} where g.org_id = $1 and g.id = $2 and g.name is not null`,
};
const countValid: Statement = {
  name: 'count_valid_named_links',
  text: `select count(*)::integer as n from guest_links g
    where g.org_id = $1 and g.room_id = $2 and g.name is not null and g.revoked_at is null
      and (g.expires_at is null or g.expires_at > now())
      and (g.use_limit is null or g.use_count < g.use_limit)`,
};
const revoke: Statement = {
  name: 'revoke_named_link',
  text: `update guest_links set revoked_at = now(), revoked_by = $3
    where org_id = $1 and id = $2 and name is not null and revoked_at is null
    returning room_id`,
};

/**
 * Returns links, newest first, including ended ones.
 * @throws DomainError 404
 */
export async function listLinks(
  tenant: Tenant,
  room: RoomId,
  { before = greatestId, limit }: PageQuery,
): Promise<LinkRecord[]> {
  await findRoom(tenant, room);
  const rows = await tenant.connection(({ run }) =>
    run<LinkRow>(ofRoom, [tenant.orgId, room, before, limit]),
  );
  return rows.map(asLink);
}

/**
 * @throws DomainError 400 for a time in the past, 404, 409 when the room is archived or has the
 * most links
 */
export async function createLink(
  tenant: Tenant,
  room: RoomId,
  given: z.output<typeof createLinkBody>,
  now = new Date(),
): Promise<LinkRecord> {
  const expiresAt = expiryOf(given, now);
  if (expiresAt && expiresAt <= now) {
    throw invalid('expiry_over', 'Please choose a time in the future', 'expiresAt');
  }
  await refuseUnshared(tenant, room);
  return tenant.transaction(async (tx) => {
    // Of two concurrent requests, the second counts the link of the first.
    await lockRoom(tx, room);
    const [valid] = await tx.run<{ n: number }>(countValid, [tenant.orgId, room]);
    if ((valid?.n ?? 0) >= mostValidLinks) throw tooMany();
    const id = newId(guestLinkId);
    await tx.db.insert(guestLinks).values({
      id,
      orgId: tenant.orgId,
      roomId: room,
      name: given.name,
      createdBy: actingAccount(tenant),
      createdAt: now,
      expiresAt,
      useLimit: given.singleUse ? 1 : null,
    });
    await recordEvent(tx, {
      action: 'GUEST_LINK_CREATED',
      entity: 'guest_link',
      entityId: id,
      metadata: {
        roomId: room,
        named: true,
        singleUse: given.singleUse,
        expiresAt: expiresAt?.toISOString() ?? null,
      },
    });
    return readLink(tx, id);
  });
}

/**
 * Revokes a link. Repeating it changes nothing.
 * @throws DomainError 404, also for a room's main link, which is renewed instead
 */
export function revokeLink(
  tenant: Tenant,
  id: GuestLinkId,
): Promise<{ link: LinkRecord; hasChanged: boolean }> {
  return tenant.transaction(async (tx) => {
    const values = [tenant.orgId, id, actingAccount(tenant)];
    const [revoked] = await tx.run<{ room_id: RoomId }>(revoke, values);
    if (revoked) {
      await recordEvent(tx, {
        action: 'GUEST_LINK_REVOKED',
        entity: 'guest_link',
        entityId: id,
        metadata: { roomId: revoked.room_id },
      });
    }
    return { link: await readLink(tx, id), hasChanged: revoked !== undefined };
  });
}

async function readLink({ run, tenant }: TenantConnection, id: GuestLinkId): Promise<LinkRecord> {
  const [row] = await run<LinkRow>(byId, [tenant.orgId, id]);
  if (!row) throw notFound();
  return asLink(row);
}

function expiryOf(
  { expiresAt, expiresInDays }: z.output<typeof createLinkBody>,
  now: Date,
): Date | null {
  if (expiresAt) return new Date(expiresAt);
  return expiresInDays ? new Date(now.getTime() + expiresInDays * 86_400_000) : null;
}

const tooMany = () =>
  new DomainError(
    'conflict',
    'too_many_links',
    `This room has ${mostValidLinks} links. Revoke one you no longer need.`,
  );

function asLink(row: LinkRow): LinkRecord {
  return {
    id: row.id,
    roomId: row.room_id,
    name: row.name,
    state: stateOf(row),
    createdAt: row.created_at.toISOString(),
    createdBy: row.creator,
    expiresAt: row.expires_at?.toISOString() ?? null,
    singleUse: row.use_limit !== null,
    useCount: row.use_count,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

function stateOf(row: LinkRow): NamedLink['state'] {
  if (row.revoked_at) return 'revoked';
  if (row.expired) return 'expired';
  return row.use_limit !== null && row.use_count >= row.use_limit ? 'used' : 'valid';
}
