import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The one bucket and access key of the stand-in. */
export const s3StandInKeys = {
  bucket: 'rapport',
  region: 'eu-test-1',
  keyId: 'AK',
  secretKey: 'a secret',
};

/**
 * Starts a server that speaks the part of the S3 protocol that Rapport uses, and verifies each request's signature by
 * the documentation of Signature Version 4, independently of the SDK.
 */
export async function startS3StandIn() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  /** Answered in place of the next requests, while set. */
  const faults: { status: number; code: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const fault = faults[0];
    const answer = fault
      ? { status: fault.status, text: errorOf(fault.code) }
      : verified(request, body)
        ? handle({ objects, uploads }, request, body)
        : { status: 403, text: errorOf('SignatureDoesNotMatch') };
    response.writeHead(answer.status, answer.headers).end(answer.bytes ?? answer.text ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    faults,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

interface Stored {
  objects: Map<string, Buffer>;
  uploads: Map<string, Map<number, Buffer>>;
}
interface Answered {
  status: number;
  headers?: Record<string, string>;
  text?: string;
  bytes?: Buffer;
}

function handle(stored: Stored, request: IncomingMessage, body: Buffer): Answered {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
  const key = rest.join('/');
  if (bucket !== s3StandInKeys.bucket) return { status: 404, text: errorOf('NoSuchBucket') };
  const upload = searchParams.get('uploadId');
  if (request.method === 'GET' && key === '') return listOf(stored.objects, searchParams);
  if (request.method === 'POST' && searchParams.has('uploads')) {
    const id = randomUUID();
    stored.uploads.set(id, new Map());
    return {
      status: 200,
      text: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }
  if (upload !== null) return partOf(stored, request, { key, upload, searchParams }, body);
  if (request.method === 'PUT') {
    stored.objects.set(key, body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  if (request.method === 'DELETE') {
    stored.objects.delete(key);
    return { status: 204 };
  }
  const object = stored.objects.get(key);
  if (!object) return { status: 404, text: errorOf('NoSuchKey') };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return { status: 200, bytes: object };
  return { status: 206, bytes: object.subarray(Number(first), Number(last) + 1) };
}

function partOf(
  { objects, uploads }: Stored,
  request: IncomingMessage,
  given: { key: string; upload: string; searchParams: URLSearchParams },
  body: Buffer,
): Answered {
  const parts = uploads.get(given.upload);
  if (!parts) return { status: 404, text: errorOf('NoSuchUpload') };
  if (request.method === 'PUT') {
    parts.set(Number(given.searchParams.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  uploads.delete(given.upload);
  if (request.method === 'DELETE') return { status: 204 };
  const ordered = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
  objects.set(given.key, Buffer.concat(ordered));
  return {
    status: 200,
    text: '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>',
  };
}

/** Pages are short, so that the client has to ask for the next one. */
const keysPerPage = 3;

function listOf(objects: Map<string, Buffer>, query: URLSearchParams): Answered {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const after = query.get('continuation-token') ?? '';
  const names = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
      return end < 0 ? key : key.slice(0, end + 1);
    });
  const sorted = [...new Set(names)].sort().filter((name) => name > after);
  const page = sorted.slice(0, keysPerPage);
  const isMore = sorted.length > page.length;
  const entries = page.map((name) =>
    delimiter && name.endsWith(delimiter)
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`,
  );
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return {
    status: 200,
    text: `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
  };
}

const errorOf = (code: string) => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) =>
  createHmac('sha256', key).update(text).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Verifies the Authorization header and the body's hash (AWS Signature Version 4). */
function verified({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, keyId, day = '', region, signed = '', signature] =
    form.exec(headers.authorization ?? '') ?? [];
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (keyId !== s3StandInKeys.keyId || region !== s3StandInKeys.region) return false;
  if (bodyHash !== sha256(body)) return false;
  const { pathname, searchParams } = new URL(url ?? '', 'http://stand-in');
  const query = [...searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
  const names = signed.split(';');
  const canonical = [
    method,
    pathname,
    query.sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const dayKey = hmac(`AWS4${s3StandInKeys.secretKey}`, day);
  const key = hmac(hmac(hmac(dayKey, region ?? ''), 's3'), 'aws4_request');
  return hmac(key, text).toString('hex') === signature;
}
