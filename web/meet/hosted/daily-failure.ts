import type { DailyFatalErrorType } from '@daily-co/daily-js';
import * as z from 'zod/mini';

/**
 * Daily's fatal errors that differ in what the person can do; all others are `broken`. The names
 * come from daily-js's DailyFatalErrorType.
 */
export const hostedFailure = z.enum([
  'expired',
  'gone',
  'full',
  'sentOut',
  'unreachable',
  'broken',
]);
export type HostedFailure = z.infer<typeof hostedFailure>;

export function failureOf(type: DailyFatalErrorType | undefined): HostedFailure {
  switch (type) {
    case 'exp-token':
    case 'nbf-token':
    case 'not-allowed':
      return 'expired';
    case 'no-room':
    case 'exp-room':
    case 'nbf-room':
    case 'end-of-life':
      return 'gone';
    case 'meeting-full':
      return 'full';
    case 'ejected':
      return 'sentOut';
    case 'connection-error':
      return 'unreachable';
    default:
      return 'broken';
  }
}
