import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { DomainError } from '#domain/errors.ts';
import type { FetchFailure } from '#domain/speech-models/contract.ts';
import type { ModelFile } from './model.ts';

/** A connection that delivers nothing for so long is given up; the next attempt continues there. */
const silenceMs = 30_000;
/** Answers after which the same request may succeed. */
const passing = new Set([408, 416, 425, 429]);

/** Begins to read a URL. It reaches only what the operator allows. */
export type FileStream = (
  url: string,
  options: { headers?: Record<string, string>; signal: AbortSignal },
) => Promise<FileAnswer>;

interface FileAnswer {
  status: number;
  headers: Headers;
  body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/** Another attempt would fail in the same way. */
export class ModelRefused extends Error {
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, reason: string) {
    super(reason);
    this.name = 'ModelRefused';
    this.failure = failure;
  }
}

interface Receiving {
  stream: FileStream;
  signal: AbortSignal | undefined;
  received: (kind: 'fetching' | 'verifying', bytes: number) => void;
}

/**
 * Fetches the rest of a file into `part`, and verifies it.
 * @throws ModelRefused for other content, which is deleted; another error if the download was interrupted
 */
export async function fetchFile(
  part: string,
  file: ModelFile,
  { stream, signal, received }: Receiving,
): Promise<void> {
  const had = await sizeOf(part);
  const progress = (bytes: number) => received('fetching', bytes);
  progress(had);
  try {
    if (had > file.sizeBytes) throw tooLarge(file);
    if (had < file.sizeBytes) await receive(part, { had, file, progress }, { stream, signal });
    received('verifying', file.sizeBytes);
    const found = await sha256Of(part, signal);
    if (found === file.sha256) return;
    const reason = `${file.url} has the SHA-256 ${found}, not ${file.sha256}. It was deleted.`;
    throw new ModelRefused('checksum', reason);
  } catch (error) {
    const known = asRefusal(error);
    if (known instanceof ModelRefused) await rm(part, { force: true });
    throw known;
  }
}

interface Rest {
  had: number;
  file: ModelFile;
  progress: (receivedBytes: number) => void;
}

async function receive(
  part: string,
  { had, file, progress }: Rest,
  { stream, signal }: Pick<Receiving, 'stream' | 'signal'>,
): Promise<void> {
  const { url, sizeBytes } = file;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`${url} does not answer`)), silenceMs);
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  // Opened first, so that nothing that arrives waits for it.
  const sink = await open(part, 'a', 0o600);
  try {
    const headers = {
      'accept-encoding': 'identity',
      ...(had > 0 ? { range: `bytes=${had}-` } : {}),
    };
    const answer = await stream(url, { headers, signal: either });
    let received = await startOf(answer, sink, { had, file });
    for await (const piece of answer.body) {
      timer.refresh();
      if (received + piece.length > sizeBytes) throw tooLarge(file);
      await sink.writeFile(piece);
      received += piece.length;
      progress(received);
    }
    await sink.sync();
    if (received === sizeBytes) return;
    const reason = `${url} ended after ${received} of ${sizeBytes} bytes`;
    throw answer.status === 206 ? new Error(reason) : new ModelRefused('size', reason);
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    await sink.close();
  }
}

/** Returns the position in the file at which an answer begins. */
async function startOf(
  { status, headers, body }: FileAnswer,
  sink: FileHandle,
  { had, file: { url, sizeBytes } }: Pick<Rest, 'had' | 'file'>,
): Promise<number> {
  const refuse = (error: Error) => {
    body.destroy();
    return error;
  };
  // The file at the server is another one, or as long as what is here.
  if (status === 416) await sink.truncate(0);
  if (status !== 200 && status !== 206) {
    const reason = `${url} answered ${status}`;
    const passes = status >= 500 || passing.has(status);
    throw refuse(passes ? new Error(reason) : new ModelRefused('refused', reason));
  }
  // A server without ranges sends everything again.
  const from = status === 206 ? had : 0;
  const range = headers.get('content-range');
  if (from > 0 && range !== null && !range.startsWith(`bytes ${from}-`)) {
    await sink.truncate(0);
    throw refuse(new Error(`${url} sent ${range} instead of the rest from ${from}`));
  }
  const length = Number(headers.get('content-length') ?? sizeBytes - from);
  const isWhole = status === 200;
  if (isWhole && length !== sizeBytes) {
    throw refuse(new ModelRefused('size', `${url} has ${length} bytes, not ${sizeBytes}`));
  }
  if (from === 0 && had > 0) await sink.truncate(0);
  return from;
}

const tooLarge = ({ url, sizeBytes }: ModelFile) =>
  new ModelRefused('size', `${url} is larger than the ${sizeBytes} bytes of its description.`);

function asRefusal(error: unknown): unknown {
  if (error instanceof DomainError && error.code !== 'target_failed')
    return new ModelRefused('refused', error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return new ModelRefused('disk', 'The disk is full.');
  if (['EACCES', 'EPERM', 'EROFS', 'EFBIG'].includes(code))
    return new ModelRefused('storage', `The folder of models can’t be written: ${code}`);
  return error;
}

export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

export async function sha256Of(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, signal ? { signal } : {})) hash.update(piece);
  return hash.digest('hex');
}
