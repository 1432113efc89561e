import { isNotHeld } from '#server/consent/held-words.ts';

/** Whether a row's person still agrees, and no removal of them waits for a legal hold. */
const mayLeave = (row: string) => `coalesce((
        select 'recording' = any (x.agreed) from consents x
        where x.org_id = ${row}.org_id and x.participant_id = ${row}.participant_id
          and 'recording' = any (x.asked)
        order by x.id desc limit 1), false)
      and ${isNotHeld(row)}`;

/**
 * The condition of a track `t` and its media `m` that a shared link may show: the newest answer of each person in it
 * still agrees to the recording, and no removal waits for a legal hold, which keeps the file but lets nothing leave.
 */
export const isShownToStrangers = `case when t.source = 'everyone' then not exists (
        select from recorded_segment_people p
        where p.org_id = m.org_id and p.segment_id = m.segment_id and not (${mayLeave('p')}))
      else ${mayLeave('t')} end`;
