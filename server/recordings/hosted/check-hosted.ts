import type { Statement } from '#server/platform/database.ts';
import type { HostedRecording } from '#server/providers/video/hosted-recorder.ts';
import { fetchHosted, giveUp } from './fetch-hosted.ts';
import { type HostedPass, turnOf } from './hosted-pass.ts';
import { type HostedRow, lookAgain } from './hosted-rows.ts';
import { stopAtProvider, stopHosted } from './stop-hosted.ts';

/** The provider says itself when a file is ready. It is asked in case that this got lost. */
const askSeconds = 60;
/** A file is ready minutes after its recording. */
const patienceMs = 60 * 60_000;
/** The provider's start is a whole second of its own clock. */
const clockSlackMs = 10_000;

const confirm: Statement = {
  name: 'confirm_hosted_recording',
  text: `update hosted_recordings set recording_id = coalesce(recording_id, $3),
      confirmed_at = coalesce(confirmed_at, now())
    where org_id = $1 and segment_id = $2`,
};

/** Looks at recordings that are due: repeats a stop, fetches a file, and finds out what no event has said. */
export async function checkHosted(pass: HostedPass, rows: readonly HostedRow[]): Promise<void> {
  const { recorder, room, tenant } = pass;
  const due = rows.filter(({ isDue }) => isDue);
  if (due.length === 0) return;
  const known = await recorder.ofRoom(room, turnOf(pass));
  for (const row of due) {
    const recording = recordingOf(row, rows, known);
    if (row.stoppedAt && !row.isStopConfirmed) await stopAtProvider(pass, row.segmentId);
    // It ended there on its own: at its limit, or after a silence.
    if (!row.stoppedAt && recording?.isOver)
      await stopHosted(pass, row.segmentId, { kind: 'over' });
    if (recording?.isOver) {
      await tenant.connection((at) => lookAgain(at, row.segmentId, 0));
      await fetchHosted(pass, row, recording);
    } else if (!recording && isHopeless(row)) {
      await giveUp(tenant, row);
    } else {
      await tenant.connection(async (at) => {
        if (recording) await at.run(confirm, [tenant.orgId, row.segmentId, recording.id]);
        const seconds = row.isStopConfirmed || !row.stoppedAt ? askSeconds : 5;
        await lookAgain(at, row.segmentId, seconds, row);
      });
    }
  }
}

/** By the provider's name for it, or, before that is known, by when it began. */
function recordingOf(
  row: HostedRow,
  rows: readonly HostedRow[],
  known: readonly HostedRecording[],
): HostedRecording | undefined {
  if (row.recordingId !== null) return known.find(({ id }) => id === row.recordingId);
  const from = row.requestedAt.getTime() - clockSlackMs;
  const until = (row.stoppedAt?.getTime() ?? Date.now()) + clockSlackMs;
  const own = known.filter(
    ({ id, startedAt }) =>
      startedAt.getTime() >= from &&
      startedAt.getTime() <= until &&
      !rows.some(({ recordingId }) => recordingId === id),
  );
  // Of two that began within seconds, nobody can tell which is whose: both wait for the provider's event.
  return own.length === 1 ? own[0] : undefined;
}

const isHopeless = ({ stoppedAt }: HostedRow) =>
  stoppedAt !== null && Date.now() - stoppedAt.getTime() > patienceMs;
