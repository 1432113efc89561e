/**
 * SQL for the name that a track is shown with: its person's, or those of everyone in it.
 * @param track recorded_tracks
 */
export const nameOfTrack = (track: string) =>
  `case when ${track}.source = 'everyone' then coalesce((
      select string_agg(distinct a.name, ', ' order by a.name)
      from recorded_segment_people p join attendances a on a.org_id = p.org_id and a.id = p.participant_id
      where p.org_id = ${track}.org_id and p.call_id = ${track}.call_id), '')
    else ${track}.name end`;
