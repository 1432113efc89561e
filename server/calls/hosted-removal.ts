import type { CallId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import {
  confirmEjection,
  dueEjections,
  type HostedEjection,
  markEjection,
} from '#server/rooms/hosted-ejections.ts';
import { holdersInRoom } from '#server/rooms/hosted-tokens.ts';
import { hostedTurns } from '#server/rooms/hosted-turns.ts';
import type { Services } from '#server/services.ts';

type With = Pick<Services, 'video' | 'log' | 'database'>;
interface Place {
  orgId: OrgId;
  roomId: RoomId;
}

const everySeconds = 5;
const failed = 'people were not ejected from the hosted page; this is tried again';

const peopleOfCall: Statement = {
  name: 'people_of_call',
  text: 'select id from attendances where org_id = $1 and call_id = $2',
};

/**
 * Ejects participants from a hosted page as well. If the provider does not answer, it is asked again every
 * few seconds (`startRepeatingEjections`).
 */
export function sendOut(
  services: With,
  { orgId, roomId }: Place,
  people: ParticipantId[],
  ban: boolean,
): void {
  if (!services.video.page || people.length === 0) return;
  storeAndEject(services, { orgId, roomId, people, ban }).catch((error) =>
    services.log.error({ err: error, engine: services.video.name }, failed),
  );
}

/** Ejects all participants once a call has ended: those who attended it, and those with a token for its room. */
export function sendEverybodyOut(services: With, from: Place, call: CallId): void {
  if (!services.video.page) return;
  const tenant = systemOf(services, from.orgId);
  Promise.all([
    tenant.connection(({ run }) => run<{ id: ParticipantId }>(peopleOfCall, [from.orgId, call]), {
      isUrgent: true,
    }),
    holdersInRoom(tenant, from.roomId),
  ])
    .then(([attended, holders]) => {
      const people = new Set([...attended.map(({ id }) => id), ...holders]);
      sendOut(services, from, [...people], false);
    })
    .catch((error) => services.log.error({ err: error }, 'people of a call were not found'));
}

/**
 * Ejects everybody from the rooms of an organization, whether its rows still exist or not.
 * @throws AggregateError of VideoEngineErrors, after each room was tried
 */
export async function emptyRooms(
  services: With,
  orgId: OrgId,
  rooms: readonly { roomId: RoomId; people: ParticipantId[] }[],
): Promise<void> {
  const tried = await Promise.allSettled(
    rooms.map((room) => eject(services, { orgId, ...room, ban: true })),
  );
  const errors = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'rooms were not emptied');
}

/** Repeats the ejections that the provider has not confirmed until it is stopped. */
export function startRepeatingEjections(services: With): Repeated {
  const each = organizationRounds();
  return repeat({ everySeconds, log: services.log, failed }, () => repeatEjections(services, each));
}

/** @returns how many of the due ejections succeeded */
export async function repeatEjections(services: With, each = eachApart): Promise<number> {
  if (!services.video.page) return 0;
  const due = await dueEjections(services.database);
  return each(services.log, due, (ejection) => eject(services, ejection), failed);
}

async function storeAndEject(services: With, ejection: HostedEjection): Promise<void> {
  const { orgId, people, ban } = ejection;
  await markEjection(systemOf(services, orgId), people, ban);
  await eject(services, ejection);
}

/** Each request is confirmed on its own, so that a failure repeats no other. */
async function eject(services: With, { people, ban, ...room }: HostedEjection): Promise<void> {
  const { page } = services.video;
  if (!page) return;
  for (let at = 0; at < people.length; at += page.mostEjected) {
    const some = people.slice(at, at + page.mostEjected);
    await page.remove(room, some, ban, hostedTurns(services.video, 'ejection', room.orgId));
    await confirmEjection(systemOf(services, room.orgId), some, ban);
  }
}

const systemOf = ({ database }: With, orgId: OrgId) =>
  tenantOf(database, { kind: 'system', name: 'hosted-removal', orgId }, null);
