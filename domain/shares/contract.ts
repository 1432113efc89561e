import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, shareId } from '#domain/ids.ts';
import { organizationBrand } from '#domain/organizations/contract.ts';
import { recordedPerson } from '#domain/recordings/contract.ts';

/** How long a share can last. */
export const shareDays = [1, 7, 30] as const;
/** Of one call, that are valid at the same time. */
export const mostShares = 50;
const shortestClipMs = 1000;
const longestTitle = 120;

/** A part of the recording, in milliseconds after the call's start. */
const clip = z.object({
  startMs: z.int().min(0).max(86_400_000),
  endMs: z.int().min(0).max(86_400_000),
});
const requestedClip = clip.refine(({ startMs, endMs }) => endMs - startMs >= shortestClipMs, {
  error: 'The end must be after the start',
  path: ['endMs'],
});

/** A link to a call's recording, or to a part of it, that works without an account. */
export const share = z.object({
  id: shareId,
  /** Null where the call's room names it. */
  title: z.string().nullable(),
  clip: clip.nullable(),
  createdAt: z.iso.datetime(),
  /** Null for a deleted account. */
  createdBy: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  lastViewedAt: z.iso.datetime().nullable(),
});
export type Share = z.infer<typeof share>;

export const createShareBody = z.object({
  title: z
    .string()
    .trim()
    .max(longestTitle, `Please use at most ${longestTitle} characters`)
    .optional(),
  clip: requestedClip.optional(),
  expiresInDays: z.union(
    shareDays.map((days) => z.literal(days)),
    { error: 'Please choose 1, 7 or 30 days' },
  ),
});

export const listShares = contract({
  method: 'GET',
  path: '/api/calls/:id/recording-shares',
  summary: 'The valid shares of a call’s recording, newest first',
  permission: 'calls.read',
  params: z.object({ id: callId }),
  output: { 200: z.array(share).max(mostShares) },
  errors: [404],
});

export const createShare = contract({
  method: 'POST',
  path: '/api/calls/:id/recording-shares',
  summary: 'Share a call’s recording, or a part of it, by a link; its URL is answered only once',
  permission: 'recordings.share',
  stores: true,
  needsVerifiedAddress: true,
  params: z.object({ id: callId }),
  body: createShareBody,
  output: { 201: share.extend({ url: z.string() }) },
  errors: [400, 404, 409],
});

export const revokeShare = contract({
  method: 'DELETE',
  path: '/api/recording-shares/:id',
  summary: 'Revoke a share of a recording',
  permission: 'recordings.share',
  params: z.object({ id: shareId }),
  output: { 204: null },
  errors: [404],
});

export const sharedRecording = z.object({
  title: z.string(),
  organization: organizationBrand,
  clip: clip.nullable(),
  expiresAt: z.iso.datetime(),
  /** From the call's start to the end of the last file. */
  durationMs: z.int(),
  /** Those who agree to the recording. */
  people: z.array(recordedPerson),
});
export type SharedRecording = z.infer<typeof sharedRecording>;

export const readShared = contract({
  method: 'GET',
  path: '/api/shared-recordings/:token',
  summary: 'A shared recording, for those who have its link',
  permission: 'public',
  rateLimit: { name: 'shared-recording', most: 60, windowSeconds: 60 },
  params: z.object({ token: z.string().max(200) }),
  output: { 200: sharedRecording },
  errors: [404, 410, 429],
});
