import type { RoomId } from '#domain/ids.ts';
import { notePeopleTogether } from '#server/consent/people-together.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import type { HostedRecorder } from '#server/providers/video/hosted-recorder.ts';
import type { HostedRoom } from '#server/providers/video/hosted-room.ts';
import type { Services } from '#server/services.ts';
import { RoomPasses } from '../room-passes.ts';
import { checkHosted } from './check-hosted.ts';
import type { HostedPass } from './hosted-pass.ts';
import { type HostedRow, readHostedRows } from './hosted-rows.ts';
import { mayContinue, mayStart, type RecordedRoom, readPeople } from './people-of-room.ts';
import { startHosted } from './start-hosted.ts';
import { reasonToStop, stopHosted } from './stop-hosted.ts';
import { hasJustFailed, hostedState, tellHosted } from './tell-hosted.ts';

const passesOf = new WeakMap<Database, RoomPasses>();
/** Rooms where someone may listen who has heard nothing yet. */
const asked = new Set<RoomId>();

interface Following {
  /** Someone entered the provider's page at this time without having agreed. */
  strangerAt?: Date | null;
  /** Something has happened: everyone is told the state, also if it is the same. */
  isAsked?: boolean;
}

/**
 * Has the provider of a hosted page record a call exactly while it is to be recorded and everyone agrees, and takes
 * over what it has recorded. Without a recorder, nothing happens.
 * @returns once it was asked for what holds now
 */
export function followHosted(
  services: Services,
  room: HostedRoom,
  following: Following = {},
): Promise<void> {
  const recorder = services.video.page?.recorder;
  if (!recorder) return Promise.resolve();
  const passes = passesOf.get(services.database) ?? new RoomPasses();
  passesOf.set(services.database, passes);
  // Before anything that waits: it takes effect at once.
  const { strangerAt, isAsked = true } = following;
  if (isAsked) asked.add(room.roomId);
  const ended = strangerAt ? endFor(passIn(services, recorder, room), strangerAt) : null;
  return passes.run(room.roomId, async () => {
    await ended;
    await run(services, passIn(services, recorder, room), Boolean(strangerAt));
  });
}

const passIn = (services: Services, recorder: HostedRecorder, room: HostedRoom): HostedPass => ({
  services,
  recorder,
  tenant: tenantOf(
    services.database,
    { kind: 'system', name: 'hosted-recording', orgId: room.orgId },
    null,
  ),
  room,
});

async function endFor(pass: HostedPass, at: Date): Promise<void> {
  const { services, tenant, room } = pass;
  try {
    const rows = await tenant.connection((on) => readHostedRows(on, room.roomId), {
      isUrgent: true,
    });
    for (const { segmentId, stoppedAt } of rows)
      if (!stoppedAt) await stopHosted(pass, segmentId, { kind: 'dissent', at });
  } catch (error) {
    services.log.error({ err: error, ...room }, 'a recording of the hosted page was not stopped');
  }
}

async function run({ log, bus }: Services, pass: HostedPass, hasStranger: boolean) {
  const { tenant, room } = pass;
  const read = () =>
    tenant.connection(
      async (at) =>
        [await readPeople(at, room.roomId), await readHostedRows(at, room.roomId)] as const,
    );
  let strangers = hasStranger ? 1 : 0;
  let hasFailed = false;
  try {
    strangers = Math.max(strangers, await followOnce(pass, await read(), hasStranger));
  } catch (error) {
    hasFailed = true;
    log.warn({ err: error, ...room }, 'the recording of a hosted page was not followed');
  }
  try {
    const [wanted, rows] = await read();
    const state = hostedState(wanted, rows, { strangers, hasFailed });
    tellHosted(bus, room.roomId, state, asked.delete(room.roomId));
  } catch (error) {
    log.warn({ err: error, ...room }, 'the state of a hosted recording was not told');
  }
}

/** @returns how many people in the provider's room have not agreed */
async function followOnce(
  pass: HostedPass,
  [wanted, rows]: readonly [RecordedRoom | null, HostedRow[]],
  hasStranger: boolean,
): Promise<number> {
  const { tenant } = pass;
  const running = rows.find(({ stoppedAt }) => !stoppedAt);
  const goesOn =
    wanted !== null && mayContinue(wanted) && running?.isWanted === true && running.error === null;
  if (running && !goesOn) {
    await stopHosted(pass, running.segmentId, reasonToStop(running, wanted));
  } else if (running && wanted) {
    await tenant.connection((at) => notePeopleTogether(at, running.segmentId));
  }
  await checkHosted(pass, rows);
  const isQuiet = rows.every(({ stoppedAt, isStopConfirmed }) => stoppedAt && isStopConfirmed);
  const mayBegin = isQuiet && !hasStranger && !hasJustFailed(rows);
  return wanted && mayBegin && mayStart(wanted) ? startHosted(pass, wanted) : 0;
}
