import { open } from 'node:fs/promises';
import { isHallucination } from '#domain/transcripts/hallucinations.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { SpeechError, type SpeechService } from '#server/providers/speech/port.ts';
import type { Services } from '#server/services.ts';
import { keepLine } from '../keep-line.ts';
import { wavOf } from '../wav.ts';
import type { MediaOfCall } from './media-of-call.ts';
import type { CutPhrase } from './spoken-part.ts';

interface Lost {
  media: MediaOfCall;
  /** Phrases that are no line, on the call's clock. */
  lost: readonly CutPhrase[];
  /** The file with their samples. */
  samples: string;
}

const bytesOfSample = 4;
/**
 * Of one person in a call, in proportion to its length, in milliseconds. Their pages can begin many files, and each
 * phrase costs the operator processor time or money.
 */
const most = { perMs: 1.25, moreMs: 60_000 };

// When the participant had agreed to the transcript, and when it ran.
const transcribed: Statement = {
  name: 'when_transcribed',
  text: `select 'consent' as kind, c.answered_at as "from", 'transcript' = any (c.agreed) as "isOn",
      null::timestamptz as until
    from consents c where c.org_id = $1 and c.participant_id = $3 and 'transcript' = any (c.asked)
    union all
    select 'capture', x.started_at, true, x.stopped_at from captures x
    where x.org_id = $1 and x.call_id = $2 and x.kind = 'transcript'
    order by "from"`,
};
const closeGap: Statement = {
  name: 'close_transcript_gap',
  text: `with less as (
      update transcript_gaps set phrases = phrases - $4
      where org_id = $1 and call_id = $2 and participant_id = $3 and phrases > $4
    )
    delete from transcript_gaps
    where org_id = $1 and call_id = $2 and participant_id = $3 and phrases <= $4`,
};

const usage: Statement = {
  name: 'filled_of_participant',
  text: `select extract(epoch from c.ended_at - c.started_at)::float8 * 1000 as "callMs",
      coalesce(sum(m.filled_ms), 0)::float8 as "filledMs"
    from calls c
    left join recorded_tracks t on t.org_id = c.org_id and t.call_id = c.id and t.participant_id = $3
    left join recorded_media m on m.org_id = t.org_id and m.track_id = t.id
    where c.org_id = $1 and c.id = $2 group by c.id`,
};
const use: Statement = {
  name: 'count_filled_of_media',
  text: 'update recorded_media set filled_ms = filled_ms + $3 where org_id = $1 and id = $2',
};

const mediaExists: Statement = {
  name: 'media_to_fill_exists',
  text: 'select from recorded_media where org_id = $1 and id = $2',
};

interface Period {
  kind: 'consent' | 'capture';
  from: Date;
  isOn: boolean;
  until: Date | null;
}

/**
 * Has phrases recognized that were missed during the call, for example while the speech service was down: those that
 * were said while the transcript ran, by someone who had agreed to it then, and still does.
 * @returns `unavailable` if the service does not answer, so that the rest is to be tried again; `used up` once the
 *   person has had as much recognized as the call is long, or nothing more of the file may be
 */
export async function fillMissing(
  { speech: { current }, log }: Pick<Services, 'speech' | 'log'>,
  tenant: Tenant,
  { media, lost, samples }: Lost,
  signal: AbortSignal,
): Promise<'filled' | 'unavailable' | 'used up'> {
  const speech = current();
  if (!speech) return 'used up';
  const { callId, participantId, callStartedAt, mediaId } = media;
  const key = [tenant.orgId, callId, participantId];
  const [periods, [used]] = await tenant.connection(async ({ run }) => [
    await run<Period & Record<string, unknown>>(transcribed, key),
    await run<{ callMs: number; filledMs: number }>(usage, key),
  ]);
  const allowed = lost.filter(
    ({ startMs, bytes }) => bytes > 0 && wasTranscribed(periods, callStartedAt.getTime() + startMs),
  );
  let leftMs = used ? used.callMs * most.perMs + most.moreMs - used.filledMs : 0;
  let askedMs = 0;
  let filled = 0;
  const file = await open(samples);
  try {
    for (const phrase of allowed) {
      const bytes = Buffer.alloc(phrase.bytes);
      await file.read(bytes, 0, phrase.bytes, phrase.position);
      const heard = new Float32Array(bytes.buffer, bytes.byteOffset, phrase.bytes / bytesOfSample);
      const soundMs = Math.ceil(heard.length / 16);
      if (soundMs > leftMs) return 'used up';
      // Recognizing took a while: the file may be deleted, the person erased, or the consent withdrawn.
      if (!(await mayHear(tenant, media, phrase))) return 'used up';
      leftMs -= soundMs;
      askedMs += soundMs;
      await recognize(speech, tenant, { media, phrase, heard }, signal);
      filled += 1;
    }
    return 'filled';
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    log.warn({ failure: error.failure, callId }, 'a missing phrase was not recognized');
    return error.passes ? 'unavailable' : 'used up';
  } finally {
    await file.close();
    await tenant.connection(async ({ run }) => {
      if (filled > 0) await run(closeGap, [...key, filled]);
      if (askedMs > 0) await run(use, [tenant.orgId, mediaId, askedMs]);
    });
  }
}

async function mayHear(
  tenant: Tenant,
  { callId, participantId, callStartedAt, mediaId }: MediaOfCall,
  { startMs }: CutPhrase,
): Promise<boolean> {
  const { orgId } = tenant;
  const [found, periods] = await tenant.connection(async ({ run }) => [
    await run(mediaExists, [orgId, mediaId]),
    await run<Period & Record<string, unknown>>(transcribed, [orgId, callId, participantId]),
  ]);
  return found.length > 0 && wasTranscribed(periods, callStartedAt.getTime() + startMs);
}

/** @throws SpeechError */
async function recognize(
  speech: SpeechService,
  tenant: Tenant,
  said: { media: MediaOfCall; phrase: CutPhrase; heard: Float32Array },
  signal: AbortSignal,
): Promise<void> {
  const { media, phrase, heard } = said;
  const { startMs, endMs } = phrase;
  const durationMs = endMs - startMs;
  const { text, language } = await speech.recognize({ wav: wavOf(heard), durationMs }, signal);
  if (isHallucination({ text, durationMs, before: [] })) return;
  const owner = { ...media, tenant, callStartedAt: media.callStartedAt.getTime() };
  const { recognizer } = speech;
  await keepLine(owner, { startMs, endMs, text, language, recognizer });
}

function wasTranscribed(periods: readonly Period[], at: number): boolean {
  const isIn = ({ from, until }: Period) => from.getTime() <= at && (until?.getTime() ?? at) >= at;
  const answer = periods.findLast(({ kind, from }) => kind === 'consent' && from.getTime() <= at);
  const isRunning = periods.some((period) => period.kind === 'capture' && isIn(period));
  const newest = periods.findLast(({ kind }) => kind === 'consent');
  return answer?.isOn === true && newest?.isOn === true && isRunning;
}
