import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';

const program = join(import.meta.dirname, 'draw-picture.ts');
/** Photos of 50 megapixels, the maximum, take 3 seconds. */
const photoPatienceMs = 10_000;
/** A real logo takes less, but an SVG can be crafted to take any amount of time. */
const svgPatienceMs = 4_000;
/** Drawing takes a core, for up to the whole timeout. The calls need the other cores. */
const mostAtOnce = 2;
const behindCalls = 10;

const startsWith = (bytes: Buffer, signature: string, at = 0) =>
  bytes.subarray(at, at + signature.length).toString('latin1') === signature;

/** Detects the type from the bytes. The file's name and declared type do not count. */
function isPhoto(bytes: Buffer): boolean {
  return (
    startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
    startsWith(bytes, '\xff\xd8\xff') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))
  );
}

/** Detects XML whose first element is `svg`, after a declaration, comments, and a document type. */
function isSvg(bytes: Buffer): boolean {
  const head = bytes
    .subarray(0, 16_384)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const beginning =
    /^\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>\s*)*/i;
  return /^<(?:svg:)?svg[\s/>]/.test(head.replace(beginning, ''));
}

/** The drawing program and its timeout. */
export interface Drawer {
  program: string;
  patienceMs: number;
}

/** The accepted file types of each purpose; draw-picture.ts draws by purpose, too. */
const purposes = {
  logo: {
    takes: (bytes: Buffer) => isPhoto(bytes) || isSvg(bytes),
    refusal: () =>
      new DomainError(
        'unsupported',
        'not_a_picture',
        'Please choose a PNG, JPEG, WebP or SVG file.',
      ),
  },
  poster: {
    takes: isPhoto,
    refusal: () => new DomainError('unsupported', 'not_a_poster', 'Send the poster as JPEG.'),
  },
  portrait: {
    takes: isPhoto,
    refusal: () =>
      new DomainError('unsupported', 'not_a_photo', 'Please choose a PNG, JPEG or WebP file.'),
  },
} as const;

/**
 * Redraws an uploaded image, a logo as a PNG of at most 512 pixels a side, a portrait as a square WebP of
 * 256, a recording's poster as a JPEG of at most 640. Nothing of the file itself is kept: no scripts, metadata, or further frames.
 * @throws DomainError 429 if too many images of the organization wait; 415 for another type, a broken file,
 * one that takes too long, or one that would decode to more pixels than a photo
 */
export async function makePictureSafe(
  org: OrgId,
  bytes: Buffer,
  purpose: keyof typeof purposes,
  drawer?: Drawer,
): Promise<Buffer> {
  const { takes, refusal } = purposes[purpose];
  if (!takes(bytes)) throw refusal();
  const patienceMs = isPhoto(bytes) ? photoPatienceMs : svgPatienceMs;
  return turns.run(org, async () => {
    try {
      return await draw(bytes, purpose, drawer ?? { program, patienceMs });
    } catch (error) {
      if (error instanceof DomainError && error.code === tooLong) turns.overran(org);
      throw error;
    }
  });
}

const smallHeap = ['--max-old-space-size=128', '--max-semi-space-size=1', '--v8-pool-size=0'];

/**
 * Environment variables hold secrets, so only these are passed: the one that Windows needs, the folder of compiled
 * code, without which the program's types are stripped by a compiler of 16 MB, and a setting of the C library, which
 * otherwise keeps memory for each thread.
 */
const drawingEnvironment = (): NodeJS.ProcessEnv => ({
  SystemRoot: process.env.SystemRoot,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  MALLOC_ARENA_MAX: '1',
});

const tooLong = 'picture_takes_too_long';
/** Each organization has one image drawn at a time, and organizations take turns. Those that take too long rest. */
const turns = new FairQueue({ atOnce: mostAtOnce, perKey: 1, mostWaiting: 20, rest: 3 });

async function draw(
  bytes: Buffer,
  purpose: keyof typeof purposes,
  { program, patienceMs }: Drawer,
): Promise<Buffer> {
  const child = spawn(process.execPath, [...smallHeap, program, purpose], {
    env: drawingEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  if (child.pid) setPriority(child.pid, behindCalls);
  // The program may exit before it has read all input; its exit status tells the result.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
  const [{ ended, killed }, picture] = await Promise.all([
    new Promise<{ ended: number | null; killed: boolean }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (ended, signal) => resolve({ ended, killed: signal === 'SIGKILL' }));
    }),
    buffer(child.stdout),
  ]);
  if (killed) {
    throw new DomainError(
      'unsupported',
      tooLong,
      'This picture takes too long to process. Save a simpler or smaller copy and try again.',
    );
  }
  if (ended !== 0 || picture.length === 0) {
    throw new DomainError(
      'unsupported',
      'unreadable_picture',
      'We couldn’t read this picture. It’s damaged or too large. Save a smaller copy and try again.',
    );
  }
  return picture;
}
