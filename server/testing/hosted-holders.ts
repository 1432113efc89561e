import type { TestApp } from './open-test-app.ts';

/** Stores more tokens of a hosted page like one that was made, for other participants. */
export async function moreHolders(app: TestApp, like: string, count: number, link?: string) {
  await app.owner.query(
    `insert into hosted_tokens (participant_id, org_id, room_id, claims, account_id, session_id,
        guest_link_id, is_host, must_knock, expires_at)
      select m.id, org_id, room_id, claims || jsonb_build_object('participantId', m.id)
          || case when $3::text is null then '{}' else jsonb_build_object('guestLinkId', $3) end,
        account_id, session_id, coalesce($3::uuid, guest_link_id), is_host, must_knock, expires_at
      from hosted_tokens, (select gen_random_uuid() as id from generate_series(1, $2)) m
      where participant_id = $1`,
    [like, count, link ?? null],
  );
}
