import { useNavigate } from 'react-router';
import { participantId, roomId } from '#domain/ids.ts';
import {
  decideOnLobby,
  type EarlierDecision,
  type LobbyDecision,
} from '#domain/notices/contract.ts';
import type { RoomNow } from '#domain/notices/live.ts';
import { currentCall } from '#web/calls/kept-call.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { callPath } from '#web/rooms/paths.ts';
import { toast } from '#web/ui/toast-store.ts';

interface Decided {
  guests: readonly { id: string; name: string }[];
  decision: LobbyDecision;
}

/** Admits or denies guests of a room. If no one on the team is in the call, the person who admits goes there. */
export function useDecide({ roomId: room, topic, call }: RoomNow) {
  const navigate = useNavigate();
  return useApiMutation(
    ({ guests, decision }: Decided) =>
      request(decideOnLobby, {
        params: { id: roomId.parse(room) },
        body: { guests: guests.map(({ id }) => participantId.parse(id)), decision },
      }),
    {
      done: ({ decided, earlier }, { guests, decision }) => {
        const [first] = earlier.filter(({ isOwn }) => !isOwn);
        const names = guests.filter(({ id }) => decided.some((one) => one === id));
        if (first) toast({ title: earlierText(first) });
        else if (names.length > 0) toast({ title: decidedText(names, decision, topic) });
        const isAlone = call?.isHosted !== true && currentCall.getSnapshot().call === null;
        if (decision === 'admitted' && decided.length > 0 && isAlone) void navigate(callPath(room));
      },
      failed: { text: (error) => (isGone(error) ? t('notices.gone') : t('notices.failed')) },
    },
  );
}

const isGone = (error: Error) => error instanceof ApiError && error.status === 404;

function earlierText({ name, by, decision }: EarlierDecision): string {
  if (by === null) return t(`notices.earlier.${decision}`, { name });
  return t(`notices.earlierBy.${decision}`, { name, by });
}

function decidedText(guests: Decided['guests'], decision: LobbyDecision, topic: string): string {
  const [first] = guests;
  if (guests.length > 1)
    return t(`notices.decidedMany.${decision}`, { count: guests.length, topic });
  return t(`notices.decided.${decision}`, { name: first?.name ?? '', topic });
}
