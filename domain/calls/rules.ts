/** Returns a duration as whole minutes and remaining seconds; 0 when missing. */
export function durationParts(duration: number | null | undefined) {
  const whole = Math.max(0, Math.floor(duration ?? 0));
  return { minutes: Math.floor(whole / 60), seconds: whole % 60 };
}

/** Returns the live header's elapsed time as m:ss, with unlimited minutes. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Returns the duration of a call in whole seconds, always derived from its two times. */
export function callDurationSec(startedAt: Date, endedAt: Date): number {
  return Math.max(0, Math.round((endedAt.getTime() - startedAt.getTime()) / 1000));
}

export type NpsBucket = 'promoter' | 'passive' | 'detractor';

/** Spec section 9: promoters 9-10, passives 7-8, detractors 0-6. */
export function npsBucket(score: number): NpsBucket {
  if (score >= 9) return 'promoter';
  return score >= 7 ? 'passive' : 'detractor';
}
