import { isNotHeld } from '#server/consent/held-words.ts';

/**
 * The condition of a track `t` that a shared link may show: its person's newest answer still agrees to the recording,
 * and no removal waits for a legal hold, which keeps the file but lets nothing leave.
 */
export const isShownToStrangers = `coalesce((
        select 'recording' = any (x.agreed) from consents x
        where x.org_id = t.org_id and x.participant_id = t.participant_id
          and 'recording' = any (x.asked)
        order by x.id desc limit 1), false)
      and ${isNotHeld('t')}`;
