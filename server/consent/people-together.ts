import type { CallId, RecordedSegmentId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// Who was there at any time of the recording, however short, and had agreed. Whoever had not ended it (noteArrival).
const noted = (where: string) => `insert into recorded_segment_people
    (org_id, segment_id, call_id, participant_id, account_id)
  select s.org_id, s.id, a.call_id, a.id, a.account_id
  from recorded_tracks t
    join recorded_segments s on s.org_id = t.org_id and s.track_id = t.id
    join hosted_recordings h on h.org_id = s.org_id and h.segment_id = s.id
    join attendances a on a.org_id = t.org_id and a.call_id = t.call_id
      and a.joined_at <= coalesce(h.stopped_at, now()) and (a.left_at is null or a.left_at >= h.requested_at)
  where t.org_id = $1 and t.source = 'everyone' and ${where}
    and exists (select from consents n
      where n.org_id = a.org_id and n.participant_id = a.id and 'recording' = any (n.agreed))
  on conflict do nothing`;

const notePeople: Statement = { name: 'note_people_of_segment', text: noted('s.id = $2') };
const notePeopleOfCall: Statement = {
  name: 'note_people_of_call_together',
  text: noted('t.call_id = $2'),
};

const notePeopleOfOrganization: Statement = {
  name: 'note_people_of_organization_together',
  text: noted('h.org_id = $1'),
};

/**
 * Notes who is in a recording of everyone, which is deleted with any of them: while it runs, and once more when it has
 * stopped, for whoever came in between.
 */
export const notePeopleTogether = ({ run, tenant }: TenantConnection, segment: RecordedSegmentId) =>
  run(notePeople, [tenant.orgId, segment]);

/** The same for all recordings of a call of which the provider still has something. */
export const notePeopleOfCallTogether = ({ run, tenant }: TenantConnection, call: CallId) =>
  run(notePeopleOfCall, [tenant.orgId, call]);

/** The same for all such recordings of the organization, for a person who is looked for in all calls. */
export const notePeopleOfAllTogether = ({ run, tenant }: TenantConnection) =>
  run(notePeopleOfOrganization, [tenant.orgId]);
