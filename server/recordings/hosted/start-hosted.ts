import type { RecordedSegmentId } from '#domain/ids.ts';
import { notePeopleTogether } from '#server/consent/people-together.ts';
import type { Statement } from '#server/platform/database.ts';
import { requireRoom } from '../room-left.ts';
import { type HostedPass, turnOf } from './hosted-pass.ts';
import { addHostedRow } from './hosted-rows.ts';
import { mayContinue, mayStart, type RecordedRoom, readPeople } from './people-of-room.ts';
import { reasonToStop, stopHosted } from './stop-hosted.ts';

/**
 * Has the provider record everyone, if it counts nobody who has not agreed. Between that count and the start, a person
 * can only arrive with a token, and whoever holds one has agreed.
 * @returns how many people in the provider's room have not agreed
 */
export async function startHosted(pass: HostedPass, wanted: RecordedRoom): Promise<number> {
  const { services, recorder, tenant, room } = pass;
  const agreed = new Set<string>(wanted.people.map(({ id }) => id));
  const present = await recorder.present(room, turnOf(pass));
  const strangers = present.filter((id) => id === null || !agreed.has(id)).length;
  // Where nobody is there yet, Daily has nothing to record.
  if (strangers > 0 || present.length === 0) return strangers;
  await requireRoom(services, tenant);
  const segmentId = await tenant.transaction(async (tx) => {
    const now = await readPeople(tx, room.roomId);
    if (!now || now.callId !== wanted.callId || !mayStart(now)) return null;
    const segment = await addHostedRow(tx, room.roomId, now.callId);
    if (segment) await notePeopleTogether(tx, segment);
    return segment;
  });
  if (segmentId) await ask(pass, segmentId);
  return 0;
}

const isStopped: Statement = {
  name: 'hosted_recording_is_stopped',
  text: 'select from hosted_recordings where org_id = $1 and segment_id = $2 and stopped_at is not null',
};

async function ask(pass: HostedPass, segmentId: RecordedSegmentId): Promise<void> {
  const { services, recorder, tenant, room } = pass;
  const askedAt = new Date();
  try {
    await recorder.start(room, segmentId, turnOf(pass));
  } catch (error) {
    services.log.warn({ err: error, ...room, segmentId }, 'the hosted page is not recorded');
    const reason = error instanceof Error ? error.message : 'It could not be recorded.';
    // It may have begun: nothing of it is kept, and another one follows.
    await stopHosted(pass, segmentId, { kind: 'failed', error: reason });
    return;
  }
  // Someone may have declined, or the host may have stopped it, while it began.
  const now = await tenant.connection((at) => readPeople(at, room.roomId));
  const [stopped] = await tenant.connection(({ run }) => run(isStopped, [tenant.orgId, segmentId]));
  if (stopped || !now || !mayContinue(now))
    await stopHosted(pass, segmentId, reasonToStop({ error: null, requestedAt: askedAt }, now));
}
