import { type PlanId, trial } from '#domain/billing/plans.ts';

/**
 * Features that the server grants or refuses by plan (spec section 9). Everything else that the plan cards name is
 * there for every plan, or provided by people.
 */
export const features = ['crmIntegrations', 'scimSso'] as const;
export type Feature = (typeof features)[number];

export interface Entitlements {
  /** In a calendar month (UTC); null without a limit. */
  callsPerMonth: number | null;
  features: readonly Feature[];
}

export const entitlements = {
  starter: { callsPerMonth: 5, features: [] },
  professional: { callsPerMonth: null, features: ['crmIntegrations'] },
  enterprise: { callsPerMonth: null, features },
} as const satisfies Record<PlanId, Entitlements>;

/** An organization's plan and usage. */
export interface Account {
  plan: PlanId;
  createdAt: Date;
  callsThisMonth: number;
  callsInAll: number;
}

export interface Trial {
  endsAt: Date;
  /** Rounded up: 14 on the first day, 1 on the last, 0 when it is over. */
  daysLeft: number;
  callsLeft: number;
}

export interface Standing extends Entitlements {
  /** Only on Starter, because higher plans need no trial. It ends when either days or calls are used up. */
  trial: Trial | null;
  /** How many calls may still be started; null without a limit. */
  callsLeft: number | null;
}

const dayMs = 86_400_000;

/**
 * Returns an organization's current entitlements.
 * @param limitsBind whether a card provider is set up; without one all features are on
 */
export function standingOf(account: Account, now: Date, limitsBind: boolean): Standing {
  const trialLeft = account.plan === 'starter' ? trialOf(account, now) : null;
  if (!limitsBind) return { callsPerMonth: null, features, trial: trialLeft, callsLeft: null };
  if (trialLeft && trialLeft.daysLeft > 0 && trialLeft.callsLeft > 0) {
    return { ...entitlements.professional, trial: trialLeft, callsLeft: trialLeft.callsLeft };
  }
  const plan: Entitlements = entitlements[account.plan];
  const callsLeft =
    plan.callsPerMonth === null ? null : Math.max(0, plan.callsPerMonth - account.callsThisMonth);
  return { ...plan, trial: trialLeft, callsLeft };
}

function trialOf({ createdAt, callsInAll }: Account, now: Date): Trial {
  const endsAt = new Date(createdAt.getTime() + trial.days * dayMs);
  const daysLeft = Math.ceil((endsAt.getTime() - now.getTime()) / dayMs);
  return {
    endsAt,
    daysLeft: Math.min(trial.days, Math.max(0, daysLeft)),
    callsLeft: Math.max(0, trial.videoCalls - callsInAll),
  };
}

/** Starter is the Free Plan. Plans that are paid for or set by the operator are Active (spec section 4). */
export const statusOf = (plan: PlanId) => (plan === 'starter' ? 'free' : 'active');
