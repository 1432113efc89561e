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

/** Of one file: a service that was down all the time left a phrase every few seconds. */
const mostPhrases = 5_000;
const bytesOfSample = 4;

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

interface Period {
  kind: 'consent' | 'capture';
  from: Date;
  isOn: boolean;
  until: Date | null;
}

/**
 * Has the phrases recognized that were missed during the call, for example while the speech service was down: those
 * that were said while the transcript ran, by someone who had agreed to it then, and still does.
 * @returns false if the service does not answer: the rest is to be tried again
 */
export async function fillMissing(
  { speech, log }: Pick<Services, 'speech' | 'log'>,
  tenant: Tenant,
  { media, lost, samples }: Lost,
  signal: AbortSignal,
): Promise<boolean> {
  if (!speech) return true;
  const { callId, participantId, callStartedAt } = media;
  const key = [tenant.orgId, callId, participantId];
  const periods = await tenant.connection(({ run }) =>
    run<Period & Record<string, unknown>>(transcribed, key),
  );
  const allowed = lost.filter(({ startMs }) =>
    wasTranscribed(periods, callStartedAt.getTime() + startMs),
  );
  const file = await open(samples);
  let filled = 0;
  try {
    for (const phrase of allowed.slice(0, mostPhrases)) {
      const bytes = Buffer.alloc(phrase.bytes);
      await file.read(bytes, 0, phrase.bytes, phrase.position);
      const heard = new Float32Array(bytes.buffer, bytes.byteOffset, phrase.bytes / bytesOfSample);
      await recognize(speech, tenant, { media, phrase, heard }, signal);
      filled += 1;
    }
    return true;
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    log.warn({ failure: error.failure, callId }, 'a missing phrase was not recognized');
    return !error.passes;
  } finally {
    await file.close();
    if (filled > 0) await tenant.connection(({ run }) => run(closeGap, [...key, filled]));
  }
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
