import { sendEverybodyOut } from '#server/calls/hosted-removal.ts';
import { tellCallEnded } from '#server/calls/update-call.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { settleMembership } from './end-unproved-membership.ts';
import { forgetTakeover, settleWrites, type Takeover, unfinishedTakeovers } from './takeovers.ts';
import { callsBefore, preparedSettings, undoCall, undoOne } from './undo-prepared.ts';

const everySeconds = 5;

/**
 * Finishes the takeovers for which locks were not waited for (end-unproved-membership.ts). Each thing is undone
 * in a transaction of its own, so that one that is locked keeps back no other. A takeover of which something
 * is left is continued by the next call.
 * @param each how the takeovers are gone through
 * @returns how many were finished
 */
export async function finishTakeovers(services: Services, each = eachApart): Promise<number> {
  const { database, log } = services;
  const found = await unfinishedTakeovers(database);
  return each(log, found, (one) => finish(services, one), 'a takeover is not finished yet');
}

/** Continues takeovers until it is stopped. */
export function startFinishingTakeovers(services: Services): Repeated {
  const each = organizationRounds();
  const failed = 'takeovers could not be looked for';
  return repeat({ everySeconds, log: services.log, failed }, () => finishTakeovers(services, each));
}

/** @throws the first error, once everything else was tried */
async function finish(services: Services, { orgId, accountId }: Takeover): Promise<void> {
  const actor = { kind: 'system' as const, name: 'takeover', orgId };
  const tenant = tenantOf(services.database, actor, null);
  const settledAt = await tenant.transaction((tx) => settleWrites(tx, accountId));
  if (!settledAt) return;
  const isOnlyAdmin = await tenant.transaction((tx) => settleMembership(tx, accountId));
  if (isOnlyAdmin) await undoAll(services, tenant, settledAt);
  await tenant.transaction((tx) => forgetTakeover(tx, accountId));
}

async function undoAll(services: Services, tenant: Tenant, before: Date): Promise<void> {
  const calls = await tenant.connection((at) => callsBefore(at, before));
  const steps = [
    ...preparedSettings.map((one) => () => tenant.transaction((tx) => undoOne(tx, one))),
    ...calls.map((id) => async () => {
      const { roomId, callEndedAt } = await tenant.transaction((tx) => undoCall(tx, id));
      if (!callEndedAt) return;
      tellCallEnded(services.bus, roomId, id, callEndedAt);
      sendEverybodyOut(services, { orgId: tenant.orgId, roomId }, id);
    }),
  ];
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
