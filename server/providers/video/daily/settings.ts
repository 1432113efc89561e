import { z } from 'zod';
import { isSafeAddress } from '#server/providers/safe-address.ts';
import { blankIsUnset, when } from '#server/providers/setting.ts';

const isBase64 = (value: string) =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length >= 16;

const withoutSlash = (value: string | undefined) => value?.replace(/\/+$/, '');

/** The settings for Daily. */
export const dailySettings = {
  DAILY_API_KEY: blankIsUnset.describe('Key of your Daily domain’s REST API, from its dashboard.'),
  DAILY_URL: when(isSafeAddress, 'give an address like https://example.daily.co')
    .transform(withoutSlash)
    .describe(
      'Your Daily domain, e.g. https://example.daily.co: pages of this origin alone are framed.',
    ),
  DAILY_API_BASE: when(isSafeAddress, 'give an address like https://api.daily.co/v1')
    .transform((value) => withoutSlash(value) ?? 'https://api.daily.co/v1')
    .describe('Daily’s REST API. Unset: https://api.daily.co/v1.'),
  DAILY_WEBHOOK_SECRET: when(
    isBase64,
    'give the base64 text that Daily answered as "hmac"',
  ).describe('Signs Daily’s webhooks, base64. Unset: /api/webhooks/daily takes none.'),
  DAILY_RECORDING: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'on: Daily records the calls in which everyone has agreed, and Rapport fetches the files. Needs VIDEO_PROVIDER=daily and its webhook.',
    ),
};

export interface DailyConfig {
  VIDEO_PROVIDER: string;
  DAILY_API_KEY?: string | undefined;
  DAILY_URL?: string | undefined;
  DAILY_WEBHOOK_SECRET?: string | undefined;
  DAILY_RECORDING: 'off' | 'on';
}

/** Returns an error message if settings for Daily are missing; null otherwise. */
export function missingOfDaily(given: DailyConfig): string | null {
  const isDaily = given.VIDEO_PROVIDER === 'daily';
  if (isDaily && !(given.DAILY_API_KEY && given.DAILY_URL))
    return 'VIDEO_PROVIDER: daily needs DAILY_API_KEY and DAILY_URL.';
  if (given.DAILY_RECORDING === 'off') return null;
  if (!isDaily) return 'DAILY_RECORDING: it records calls at Daily. Set VIDEO_PROVIDER=daily.';
  if (!given.DAILY_WEBHOOK_SECRET)
    return 'DAILY_RECORDING: without DAILY_WEBHOOK_SECRET nobody learns at once who joins. Create the webhook first.';
  return null;
}
