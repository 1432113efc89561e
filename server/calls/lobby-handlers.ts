import { DomainError } from '#domain/errors.ts';
import { type ParticipantId, participantId } from '#domain/ids.ts';
import type { EarlierDecision } from '#domain/notices/contract.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import { decideOnGuests, earlierDecisions, tellWaiting } from './lobby.ts';
import type { MessageHandlers, Sender } from './message-handler.ts';

const asHost = {
  channel: 'meeting',
  mayEdit: true,
  failed: 'We couldn’t do this right now.',
} as const;

/** Messages by which hosts act on the guests in the lobby. */
export const lobbyHandlers = {
  admit: {
    ...asHost,
    handle: (sender, { guests }) => decide(sender, guests, 'admitted'),
  },
  refuse: {
    ...asHost,
    handle: (sender, { guest }) => decide(sender, [guest], 'refused'),
  },
  'tell-waiting': {
    ...asHost,
    handle: (sender, { guest, text }) =>
      changeLobby(sender, [guest], ([first]) => {
        const { tenant, claims } = sender.person.admitted;
        return tellWaiting(tenant, claims.roomId, first, text);
      }),
  },
} satisfies MessageHandlers<'admit' | 'refuse' | 'tell-waiting'>;

const decide = (sender: Sender, guests: string[], state: 'admitted' | 'refused') =>
  changeLobby(sender, guests, async (ids) => {
    const { tenant, claims } = sender.person.admitted;
    const decided = await decideOnGuests(tenant, claims.roomId, ids, state);
    if (decided.length > 0) return true;
    const [first] = await earlierDecisions(tenant, claims.roomId, ids);
    if (first && !first.isOwn) throw decidedBefore(first);
    return first !== undefined;
  });

/** The host acted on a list from before another host's decision. */
function decidedBefore({ name, decision, by }: EarlierDecision): DomainError {
  const whom = by === null ? '' : ` by ${by}`;
  return decision === 'admitted'
    ? new DomainError('conflict', 'already_admitted', `${name} was already admitted${whom}.`)
    : new DomainError('conflict', 'already_denied', `${name} was already denied${whom}.`);
}

/** @param change returns whether one of the guests was waiting */
async function changeLobby(
  { services, person }: Sender,
  guests: string[],
  change: (ids: [ParticipantId, ...ParticipantId[]]) => Promise<boolean>,
): Promise<void> {
  const ids = guests.flatMap((id) => participantId.safeParse(id).data ?? []);
  const [first, ...others] = ids;
  try {
    if (first && (await change([first, ...others]))) return;
    throw new DomainError('not_found', 'not_waiting', 'This guest is no longer waiting.');
  } finally {
    // After a refusal, too, because the host acted on an outdated list.
    const { orgId, roomId } = person.admitted.claims;
    tellLobbyChange(services.bus, { orgId, roomId, guests: ids });
  }
}
