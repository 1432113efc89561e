import { join } from 'node:path';
import { folderFiles } from './folder.ts';
import type { FileStore } from './port.ts';
import type { S3Config } from './s3/settings.ts';
import { withFormer } from './with-former.ts';

/** Returns the configured bucket, or else the data folder. What the folder has from before stays readable. */
export async function chooseFiles(config: S3Config, dataDir: string): Promise<FileStore> {
  const folder = folderFiles(join(dataDir, 'files'));
  const {
    FILES_S3_BUCKET: bucket,
    FILES_S3_KEY_ID: keyId,
    FILES_S3_SECRET_KEY: secretKey,
  } = config;
  if (!bucket || !keyId || !secretKey) return folder;
  // Loaded only here: it takes a while, and memory.
  const { s3Files } = await import('./s3/store.ts');
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = config;
  return withFormer(s3Files({ bucket, endpoint, region, keyId, secretKey }), folder);
}
