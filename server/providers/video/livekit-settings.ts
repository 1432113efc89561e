import { z } from 'zod';
import { blankIsUnset, when } from '#server/providers/setting.ts';
import type { S3Config } from '../files/s3/settings.ts';
import type { EgressOutput } from './livekit-egress.ts';

const isSocketUrl = (value: string) =>
  URL.canParse(value) && /^wss?:$/.test(new URL(value).protocol);
const areSocketUrls = (value: string) =>
  value.split(',').every((entry) => isSocketUrl(entry.trim()));

/** The settings for LiveKit. */
export const liveKitSettings = {
  LIVEKIT_URL: when(
    areSocketUrls,
    'give addresses like wss://livekit.example.com, by commas',
  ).describe(
    'LiveKit server, as browsers and Rapport reach it, e.g. wss://livekit.example.com. Several nodes without a load balancer by commas.',
  ),
  LIVEKIT_API_KEY: blankIsUnset.describe('Key of the LiveKit server’s API.'),
  LIVEKIT_API_SECRET: blankIsUnset.describe('Secret that belongs to LIVEKIT_API_KEY.'),
  LIVEKIT_EGRESS: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'on: LiveKit’s Egress records the calls, instead of each page itself. Needs VIDEO_PROVIDER=livekit, and FILES_S3_BUCKET or LIVEKIT_EGRESS_FOLDER.',
    ),
  LIVEKIT_EGRESS_FOLDER: when(
    (value) => /^\/.*[^/]$/.test(value),
    'give a path like /recordings, without a slash at its end',
  ).describe('Where Egress sees the folder DATA_DIR/files. Only without FILES_S3_BUCKET.'),
};

export interface LiveKitConfig extends S3Config {
  VIDEO_PROVIDER: string;
  LIVEKIT_URL?: string | undefined;
  LIVEKIT_API_KEY?: string | undefined;
  LIVEKIT_API_SECRET?: string | undefined;
  LIVEKIT_EGRESS: 'off' | 'on';
  LIVEKIT_EGRESS_FOLDER?: string | undefined;
}

/** Returns an error message if settings for LiveKit are missing; null otherwise. */
export function missingOfLiveKit(given: LiveKitConfig): string | null {
  const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, VIDEO_PROVIDER } = given;
  const all = [LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET];
  if (all.some(Boolean) && !all.every(Boolean))
    return 'LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET: set all three, or none.';
  if (VIDEO_PROVIDER === 'livekit' && !LIVEKIT_URL)
    return 'VIDEO_PROVIDER: livekit needs LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET.';
  if (given.LIVEKIT_EGRESS === 'off') return null;
  if (VIDEO_PROVIDER !== 'livekit')
    return 'LIVEKIT_EGRESS: it records calls that LiveKit carries from the start. Set VIDEO_PROVIDER=livekit.';
  if (!given.FILES_S3_BUCKET && !given.LIVEKIT_EGRESS_FOLDER)
    return 'LIVEKIT_EGRESS: set FILES_S3_BUCKET, into which Egress and Rapport write, or LIVEKIT_EGRESS_FOLDER.';
  return null;
}

/** Returns where Egress writes; null if it is not set up. */
export function egressOutput(given: LiveKitConfig): EgressOutput | null {
  if (given.LIVEKIT_EGRESS === 'off') return null;
  const { FILES_S3_BUCKET: bucket, FILES_S3_KEY_ID: keyId, FILES_S3_SECRET_KEY: secretKey } = given;
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = given;
  if (bucket && keyId && secretKey)
    return { kind: 's3', bucket, endpoint, region, keyId, secretKey };
  const { LIVEKIT_EGRESS_FOLDER: path } = given;
  return path === undefined ? null : { kind: 'folder', path };
}
