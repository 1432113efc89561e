import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, ApiTokenId, CallId, FileId, MediaRoomId } from '#domain/ids.ts';
import type { OpeningHours } from '#domain/rooms/opening-hours.ts';
import { type CaptureColumns, captureColumns } from '#server/consent/admitted-captures.ts';
import type { Statement } from '#server/platform/database.ts';
import { hasRequiredFactors } from '#server/platform/required-factors.ts';
import { hasJoined, shownStart } from './attendance-store.ts';

/** What a hello is decided by (admit-participant.ts). */
export interface AdmissionRow extends CaptureColumns {
  topic: string;
  org_name: string;
  brand_color: string;
  logo_file_id: FileId | null;
  call_id: CallId | null;
  started_at: Date | null;
  joined: boolean;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  avatar: string | null;
  role: Role | null;
  session_valid: boolean;
  link_valid: boolean;
  guests_stay_out: boolean;
  locked: boolean;
  known: boolean;
  in_other_call: boolean;
  was_removed: boolean;
  browser_refused: boolean;
  has_lobby: boolean;
  lobby_state: 'waiting' | 'admitted' | 'refused' | null;
  decided_by: AccountId | null;
  program_id: ApiTokenId | null;
  read_at: number;
  waiting_text: string | null;
  link_limited: boolean;
  link_used_up: boolean;
  hours: OpeningHours | null;
  media_room_id: MediaRoomId | null;
}

// Reads all data for a hello in one round trip, because people wait for it while joining. Once a participant
// was removed from a call, newcomers no longer join by the link alone: a host must admit them. So must those
// who had left before entry was last restricted: any number of them may be the person who was removed.
export const admission: Statement = {
  name: 'admission',
  text: `select r.topic, o.name as org_name, o.brand_color,
      o.logo_file_id, c.id as call_id, ${shownStart('c')} as started_at, ${hasJoined('c')} as joined,
      a.first_name, a.last_name, a.email, a.profile_image_url as avatar, m.role,
      exists (select 1 from sessions s where s.id = $7 and s.account_id = $3
        and s.expires_at > now() and s.last_seen_at > now() - interval '7 days'
        and ${hasRequiredFactors}
        and session_admits(
          s.sso_org_id, s.kept_without_sso_in = r.org_id, s.account_id, r.org_id, q.required_at)) as session_valid,
      g.id is not null and g.revoked_at is null
        and (g.expires_at is null or g.expires_at > now()) as link_valid,
      keeps_guests_out(r.org_id) as guests_stay_out,
      g.use_limit is not null as link_limited,
      coalesce(g.use_count >= g.use_limit, false) and not exists (select 1 from guest_link_uses u
        where u.guest_link_id = g.id and u.participant_id = $5
          and u.used_at > now() - interval '12 hours') as link_used_up,
      h.hours, coalesce(r.waiting_text, o.waiting_text) as waiting_text,
      c.locked_at is not null as locked,
      exists (select 1 from attendances t
        where t.org_id = r.org_id and t.call_id = c.id and t.id = $5
          and (t.left_at is null or t.left_at >= coalesce(greatest(c.locked_at, g.revoked_at,
            admissions_count_since(r.id)), '-infinity'))) as known,
      exists (select 1 from attendances t
        where t.org_id = r.org_id and t.id = $5 and t.call_id is distinct from c.id) as in_other_call,
      exists (select 1 from call_removals x
        left join attendances t on t.id = x.participant_id
        left join lobby_entries l on l.participant_id = x.participant_id
        where x.call_id = c.id
          and (x.participant_id = $5 or $6 in (t.browser_id, l.browser_id))) as was_removed,
      exists (select 1 from lobby_entries e
        where e.org_id = r.org_id and e.room_id = r.id and e.state = 'refused'
          and e.browser_id = $6 and e.decided_at > now() - interval '12 hours') as browser_refused,
      r.lobby_at is not null
        or exists (select 1 from call_removals x where x.call_id = c.id) as has_lobby,
      (select x.id from media_rooms x
        where x.room_id = r.id and x.closed_at is null) as media_room_id,
      case when e.state = 'admitted' and not lobby_admits(e, admissions_count_since(r.id), $8)
        then 'waiting' else e.state end as lobby_state, e.decided_by, e.program_id,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as read_at, ${captureColumns('c', '$5')}
    from rooms r
    join organizations o on o.id = r.org_id
    left join calls c on c.room_id = r.id and c.ended_at is null
    left join guest_links g on g.id = $4 and g.org_id = r.org_id and g.room_id = r.id
    left join room_opening_hours h on h.room_id = r.id
    left join lobby_entries e on $4::uuid is not null and e.org_id = r.org_id and e.room_id = r.id
      and e.participant_id = $5
    left join sso_policies q on q.org_id = r.org_id
    left join sign_in_policies p on p.org_id = r.org_id
    left join memberships m on m.org_id = r.org_id and m.account_id = $3
    left join accounts a on a.id = m.account_id
    where r.org_id = $1 and r.id = $2 and r.archived_at is null`,
};
