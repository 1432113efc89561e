import { sendEverybodyOut } from '#server/calls/hosted-removal.ts';
import { tellCallEnded } from '#server/calls/update-call.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { settleMembership } from './end-unproved-membership.ts';
import { forgetTakeover, settleWrites, type Takeover, unfinishedTakeovers } from './takeovers.ts';
import {
  callsBefore,
  partsOfRooms,
  preparedSettings,
  undoCall,
  undoOne,
  undoRooms,
} from './undo-prepared.ts';

const everySeconds = 5;

/**
 * Finishes the takeovers for which locks were not waited for, or that take longer than a request
 * (end-unproved-membership.ts). Each thing is undone in a transaction of its own, and rooms in parts, so that one
 * that is locked keeps back no other. A takeover of which something is left is continued by the next call.
 * @param each how the takeovers are gone through
 * @param roomsAtOnce how many rooms one statement changes; for tests
 * @returns how many were finished
 */
export async function finishTakeovers(
  services: Services,
  each = eachApart,
  roomsAtOnce?: number,
): Promise<number> {
  const { database, log } = services;
  const found = await unfinishedTakeovers(database);
  return each(
    log,
    found,
    (one) => finish(services, one, roomsAtOnce),
    'a takeover is not finished yet',
  );
}

/** Continues takeovers until it is stopped. */
export function startFinishingTakeovers(services: Services): Repeated {
  const each = organizationRounds();
  const failed = 'takeovers could not be looked for';
  return repeat({ everySeconds, log: services.log, failed }, () => finishTakeovers(services, each));
}

/** @throws the first error, once everything else was tried */
async function finish(
  services: Services,
  { orgId, accountId }: Takeover,
  roomsAtOnce: number | undefined,
): Promise<void> {
  const actor = { kind: 'system' as const, name: 'takeover', orgId };
  const tenant = tenantOf(services.database, actor, null);
  const settledAt = await tenant.transaction((tx) => settleWrites(tx, accountId));
  if (!settledAt) return;
  const isOnlyAdmin = await tenant.transaction((tx) => settleMembership(tx, accountId));
  if (isOnlyAdmin) await undoAll(services, { tenant, before: settledAt, roomsAtOnce });
  await tenant.transaction((tx) => forgetTakeover(tx, accountId));
}

async function undoAll(
  services: Services,
  {
    tenant,
    before,
    roomsAtOnce,
  }: { tenant: Tenant; before: Date; roomsAtOnce: number | undefined },
): Promise<void> {
  const calls = await tenant.connection((at) => callsBefore(at, before));
  const rooms = await tenant.connection((at) => partsOfRooms(at, roomsAtOnce));
  const steps = [
    ...preparedSettings.map((one) => () => tenant.transaction((tx) => undoOne(tx, one))),
    ...rooms.map((part) => () => tenant.transaction((tx) => undoRooms(tx, part, before))),
    ...calls.map((id) => async () => {
      const { roomId, callEndedAt } = await tenant.transaction((tx) => undoCall(tx, id));
      if (!callEndedAt) return;
      tellCallEnded(services.bus, { orgId: tenant.orgId, roomId }, id, callEndedAt);
      sendEverybodyOut(services, { orgId: tenant.orgId, roomId }, id);
    }),
  ];
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
