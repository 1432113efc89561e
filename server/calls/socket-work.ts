import type { AnswerPace } from '#server/platform/access.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { Database } from '#server/platform/database.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';

/** Of an organization's staff, and of its guests: a connection all the time, and three seconds of one at once. */
const ofOrganization = { burst: 300, perSecond: 100 };
/** The time of a database connection that one costs, as for requests (answer-turns.ts). */
const msOfOne = 10;
/** The most that is charged: what takes longer mostly waits for a lock. */
const mostMs = 200;

const budgets = new WeakMap<Database, PacedTurns>();

/** Begins to charge the sockets that use this database. @param scale multiplies the bounds, like the rate limits */
export function chargeSockets(database: Database, scale: number): void {
  budgets.set(database, new PacedTurns(ofOrganization, scale));
}

const payerOf = ({ orgId, kind }: MeetingClaims) => `${orgId} ${kind}`;

/** Charges the bearer's organization for the time that its sockets use connections. Nothing waits here. */
export const paceOf = (database: Database, claims: MeetingClaims): AnswerPace => ({
  wait: async () => undefined,
  mustWait: () => false,
  worked: (ms) => budgets.get(database)?.spend(payerOf(claims), Math.min(ms, mostMs) / msOfOne),
});

/**
 * Handles a message that writes once the organization's staff or guests have used no more than their time. Their
 * accounts, or rooms and addresses, take turns. A turn is charged in advance, so that those who waited do not all
 * begin at the same moment.
 */
export async function inStoringTurn(
  database: Database,
  { claims, address, closed }: { claims: MeetingClaims; address: string; closed: AbortSignal },
  handle: () => Promise<void>,
): Promise<void> {
  const budget = budgets.get(database);
  if (!budget) return handle();
  const payer = payerOf(claims);
  const member =
    claims.kind === 'staff' ? claims.accountId : `${claims.roomId} ${addressKey(address)}`;
  if (!(await budget.turn(payer, member, closed))) return;
  try {
    await handle();
  } finally {
    // What it has used was charged meanwhile.
    budget.spend(payer, -1);
  }
}
