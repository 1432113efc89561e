import type { MintEmbedTokenBody } from '#domain/embedding/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { embedTokenId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { guestName } from '#server/calls/guest-name.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { currentGuestLink } from '#server/rooms/guest-link-store.ts';
import { browserOfPerson, embedToken } from './embed-token.ts';

const validMinutes = 10;
const mostUnused = 2000;

const insert: Statement = {
  name: 'insert_embed_token',
  text: `insert into embed_tokens
      (id, org_id, room_id, guest_link_id, name, browser_id, is_admitted, is_of_program,
        created_by, expires_at, api_token_id)
    select $2, $1, $3, $4, $5, $6, $7, $11, $8, now() + $9 * interval '1 minute', $12
    where (select count(*) from (select from embed_tokens
      where org_id = $1 and used_at is null and expires_at > now() limit $10) unused) < $10
    returning expires_at`,
};

/**
 * Returns a token with which one person joins the room as a named guest, once, within minutes.
 * @throws DomainError 404, 409 when the room is archived or a sample, 429
 */
export async function mintEmbedToken(
  tenant: Tenant,
  secrets: Secrets,
  room: RoomId,
  { displayName, externalId, admitted }: MintEmbedTokenBody,
): Promise<{ token: string; expiresAt: string }> {
  const { orgId } = tenant;
  const link = await currentGuestLink(tenant, room);
  const id = newId(embedTokenId);
  const person = externalId === undefined ? null : browserOfPerson(secrets, orgId, externalId);
  const by = actingAccount(tenant);
  return tenant.transaction(async (tx) => {
    const name = guestName(displayName);
    // Only tokens of the organization have the scope for it: what they make ends with them.
    const apiToken = tenant.actor.kind === 'token' ? tenant.actor.tokenId : null;
    const values = [
      orgId,
      id,
      room,
      link.id,
      name,
      person,
      admitted,
      by,
      validMinutes,
      mostUnused,
      apiToken !== null,
      apiToken,
    ];
    const [row] = await tx.run<{ expires_at: Date }>(insert, values);
    if (!row) throw tooMany();
    await recordEvent(tx, {
      action: 'EMBED_TOKEN_CREATED',
      entity: 'room',
      entityId: room,
      metadata: { admitted },
    });
    return { token: embedToken(secrets, orgId, id), expiresAt: row.expires_at.toISOString() };
  });
}

const tooMany = () =>
  new DomainError(
    'too_many',
    'too_many_embed_tokens',
    'Too many tokens are waiting to be used. Create one when a person opens the call.',
    { retryAfterSeconds: 60 },
  );
