import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { participantId, roomId } from '#domain/ids.ts';

export const lobbyDecision = z.enum(['admitted', 'refused']);
export type LobbyDecision = z.infer<typeof lobbyDecision>;

/** What had been decided about a guest before. */
export const earlierDecision = z.object({
  guest: participantId,
  name: z.string(),
  decision: lobbyDecision,
  /** The name of the member; null if the account no longer exists. */
  by: z.string().nullable(),
  /** The caller's own decision, on another page. */
  isOwn: z.boolean(),
});
export type EarlierDecision = z.infer<typeof earlierDecision>;

/** The most guests that one request decides on. */
const mostGuests = 50;

export const decideOnLobby = contract({
  method: 'POST',
  path: '/api/rooms/:id/lobby-decisions',
  summary: 'Admit or deny guests who wait in a room’s lobby; the first decision counts',
  permission: 'calls.update',
  params: z.object({ id: roomId }),
  body: z.object({
    guests: z.array(participantId).min(1).max(mostGuests),
    decision: lobbyDecision,
  }),
  output: {
    200: z.object({
      /** Those who waited until now. */
      decided: z.array(participantId),
      earlier: z.array(earlierDecision),
    }),
  },
  errors: [404],
});
