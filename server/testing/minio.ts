import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Bucket } from '#server/providers/files/s3/store.ts';
import { cachedTool } from './cached-tool.ts';
import { freePort } from './free-port.ts';

/** The last commit of MinIO's public repository. */
export const minioVersion = 'v0.0.0-20260212201848-7aac2a2c5b7c';

/** Installed by `scripts/test-tools.ts`. */
export const minioExecutable = () => join(cachedTool(`minio-${minioVersion}`), 'minio');
export const hasMinio = () => existsSync(minioExecutable());

/** A real S3-compatible server, which checks signatures, ranges, and uploads in pieces as Amazon's does. */
export interface Minio {
  /** Makes an empty, private bucket. */
  bucket(): Promise<S3Bucket>;
  client: S3Client;
  stop(): Promise<void>;
}

const region = 'eu-test-1';
const startMs = 30_000;

export async function startMinio(): Promise<Minio> {
  // Not in the folder for temporary files: that may be in memory, where MinIO refuses to store anything.
  const folder = mkdtempSync(`${minioExecutable()}-data-`);
  const [keyId, secretKey] = ['rapport', randomUUID()];
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(minioExecutable(), ['server', '--address', new URL(endpoint).host, folder], {
    env: {
      HOME: folder,
      MINIO_ROOT_USER: keyId,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_SITE_REGION: region,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + startMs;
  const isReady = () =>
    fetch(`${endpoint}/minio/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error('MinIO did not start');
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true },
    credentials: { accessKeyId: keyId, secretAccessKey: secretKey },
  });
  return {
    bucket: async () => {
      const bucket = `rapport-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return { bucket, endpoint, region, keyId, secretKey };
    },
    client,
    stop,
  };
}
