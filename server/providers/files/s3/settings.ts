import { z } from 'zod';
import { blankIsUnset, when } from '#server/providers/setting.ts';

/** A key must not cross a network unencrypted: plain HTTP is for a server beside Rapport. */
const isAddress = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).search === '';

/** The settings for S3-compatible storage. */
export const s3Settings = {
  FILES_S3_BUCKET: blankIsUnset.describe(
    'Bucket for recordings and pictures, on S3 or what speaks its protocol (MinIO, Ceph, R2). Unset: they stay in DATA_DIR.',
  ),
  FILES_S3_ENDPOINT: when(isAddress, 'give an address like https://minio.example.com').describe(
    'Address of the storage, e.g. https://minio.example.com. Unset: Amazon’s.',
  ),
  FILES_S3_REGION: z.string().trim().default('us-east-1').describe('Region of the bucket.'),
  FILES_S3_KEY_ID: blankIsUnset.describe('Id of the account that may write to the bucket.'),
  FILES_S3_SECRET_KEY: blankIsUnset.describe('Secret that belongs to FILES_S3_KEY_ID.'),
};

export interface S3Config {
  FILES_S3_BUCKET?: string | undefined;
  FILES_S3_ENDPOINT?: string | undefined;
  FILES_S3_REGION: string;
  FILES_S3_KEY_ID?: string | undefined;
  FILES_S3_SECRET_KEY?: string | undefined;
}

/** Returns an error message if settings for S3 are missing; null otherwise. */
export function missingOfS3(given: S3Config): string | null {
  const { FILES_S3_BUCKET, FILES_S3_KEY_ID, FILES_S3_SECRET_KEY } = given;
  const all = [FILES_S3_BUCKET, FILES_S3_KEY_ID, FILES_S3_SECRET_KEY];
  if (all.every(Boolean) || !all.some(Boolean)) return null;
  return 'FILES_S3_BUCKET, FILES_S3_KEY_ID and FILES_S3_SECRET_KEY: set all three, or none.';
}
