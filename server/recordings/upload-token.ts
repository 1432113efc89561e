import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import { orgId, participantId, recordedSegmentId, roomId } from '#domain/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { uploadBounds } from './bounds.ts';

const claims = z.object({ segmentId: recordedSegmentId, orgId, roomId, participantId });
/** The segment of a token, and the participant who records it. */
export type UploadClaims = z.infer<typeof claims>;

const audience = 'rapport-recording';
const purpose = 'recording-upload';

/** Returns a JWT for the parts of one segment, which is valid for a day. */
export function mintUploadToken(secrets: Secrets, given: UploadClaims): Promise<string> {
  return new SignJWT({ ...given })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(Math.floor(Date.now() / 1000) + uploadBounds.uploadSeconds)
    .sign(secrets.key(purpose));
}

/** @throws DomainError 403 for a token that is forged, expired, or of another segment */
export async function requireUploadToken(
  secrets: Secrets,
  token: string,
  segment: string,
): Promise<UploadClaims> {
  return (await verify(secrets, token, segment)).upload;
}

async function verify(secrets: Secrets, token: string, segment: string) {
  for (const { key } of secrets.keys(purpose)) {
    const verified = await jwtVerify(token, key, { audience, algorithms: ['HS256'] }).catch(
      () => null,
    );
    const parsed = claims.safeParse(verified?.payload);
    if (parsed.success && parsed.data.segmentId === segment)
      return { upload: parsed.data, expiresAtMs: (verified?.payload.exp ?? 0) * 1000 };
  }
  throw uploadRefused();
}

/** Of segments that are being recorded. */
const mostVerified = 5_000;

/** Upload tokens that were verified stay so until they expire: a page sends its own with each part. */
export class UploadTokens {
  readonly #secrets: Secrets;
  /** Oldest first. */
  readonly #verified = new Map<string, { upload: UploadClaims; expiresAtMs: number }>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** @throws DomainError 403, like `requireUploadToken` */
  async require(token: string, segment: string): Promise<UploadClaims> {
    const known = this.#verified.get(token);
    if (known && known.upload.segmentId === segment && known.expiresAtMs > Date.now())
      return known.upload;
    const verified = await verify(this.#secrets, token, segment);
    this.#verified.set(token, verified);
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > mostVerified && oldest) this.#verified.delete(oldest);
    return verified.upload;
  }
}

export const uploadRefused = () =>
  new DomainError(
    'forbidden',
    'upload_refused',
    'This recording can’t be sent any more. Its upload has expired.',
  );

export const consentWithdrawn = () =>
  new DomainError(
    'forbidden',
    'consent_withdrawn',
    'You’ve withdrawn your consent, so this part of the recording wasn’t saved.',
  );

export const storageFull = () =>
  new DomainError(
    'storage_full',
    'storage_full',
    'There’s no room left for recordings. The call goes on. Please tell your admin.',
    { retryAfterSeconds: 60 },
  );
