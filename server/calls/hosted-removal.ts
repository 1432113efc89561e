import type { CallId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { endHostedTokens } from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';

type With = Pick<Services, 'video' | 'log' | 'database'>;
interface Place {
  orgId: OrgId;
  roomId: RoomId;
}

const peopleOfCall: Statement = {
  name: 'people_of_call',
  text: 'select id from attendances where org_id = $1 and call_id = $2',
};

/**
 * Ejects participants from a hosted page as well. Our decision stands if the provider does not
 * answer: its page then continues until the participants leave it.
 */
export function sendOut(services: With, from: Place, people: ParticipantId[], ban: boolean): void {
  const { page, name } = services.video;
  if (!page || people.length === 0) return;
  page.remove(from, people, ban).catch((error) => {
    services.log.error(
      { err: error, engine: name },
      'people of a call that is over were not sent out',
    );
  });
}

/**
 * Ejects all participants once a call has ended: those who attended it, and those who got a token for its
 * room.
 */
export function sendEverybodyOut(services: With, from: Place, call: CallId): void {
  if (!services.video.page) return;
  const actor = { kind: 'system' as const, name: 'hosted-removal', orgId: from.orgId };
  const tenant = tenantOf(services.database, actor, null);
  Promise.all([
    tenant.connection(({ run }) => run<{ id: ParticipantId }>(peopleOfCall, [from.orgId, call])),
    endHostedTokens(tenant, from.roomId),
  ])
    .then(([attended, others]) => {
      const people = new Set([...attended.map(({ id }) => id), ...others]);
      sendOut(services, from, [...people], false);
    })
    .catch((error) => services.log.error({ err: error }, 'people of a call were not found'));
}
