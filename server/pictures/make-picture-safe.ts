import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';

const program = join(import.meta.dirname, 'draw-picture.ts');
/** Photos of 50 megapixels take 3 seconds, and none may have more. */
const photoPatienceMs = 10_000;
/** A logo that takes longer is no logo: an SVG can be made to take any time. */
const svgPatienceMs = 4_000;
/** Drawing takes a core for a moment, or for all of its time: the calls need the others. */
const mostAtOnce = 2;
const behindCalls = 10;

const startsWith = (bytes: Buffer, signature: string, at = 0) =>
  bytes.subarray(at, at + signature.length).toString('latin1') === signature;

/** What the bytes say they are: neither the file's name nor its declared type counts. */
function isPhoto(bytes: Buffer): boolean {
  return (
    startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
    startsWith(bytes, '\xff\xd8\xff') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))
  );
}

/** XML whose first element is `svg`, after a declaration, comments and a document type. */
function isSvg(bytes: Buffer): boolean {
  const head = bytes
    .subarray(0, 16_384)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const beginning =
    /^\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>\s*)*/i;
  return /^<(?:svg:)?svg[\s/>]/.test(head.replace(beginning, ''));
}

/** The program that draws, and how long it may take. */
export interface Drawer {
  program: string;
  patienceMs: number;
}

/** What a picture is for decides how it is drawn (draw-picture.ts), and from which kinds of file. */
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
  portrait: {
    takes: isPhoto,
    refusal: () =>
      new DomainError('unsupported', 'not_a_photo', 'Please choose a PNG, JPEG or WebP file.'),
  },
} as const;

/**
 * Draws an uploaded picture anew, a logo as a PNG of at most 512 pixels a side, a portrait as a
 * square WebP of 256: nothing of the file itself is kept, be it script, metadata or further frames.
 * @throws DomainError 429 when too many pictures of the organization wait, and 415 for what is of another kind, is broken, takes too long, or would unpack to
 *   more than a photo does
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

const tooLong = 'picture_takes_too_long';
/** Each organization has one picture drawn at a time, and they take turns. */
const turns = new FairQueue({ atOnce: mostAtOnce, perKey: 1, mostWaiting: 20 });

async function draw(
  bytes: Buffer,
  purpose: keyof typeof purposes,
  { program, patienceMs }: Drawer,
): Promise<Buffer> {
  // Nothing of our environment, which holds secrets, but what Windows cannot do without.
  const child = spawn(process.execPath, ['--max-old-space-size=128', program, purpose], {
    env: { SystemRoot: process.env.SystemRoot },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  if (child.pid) setPriority(child.pid, behindCalls);
  // It may end before it has read everything; how it ended says what there is to say.
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
      'This picture takes too long to draw. Save it anew, simpler or smaller, and try again.',
    );
  }
  if (ended !== 0 || picture.length === 0) {
    throw new DomainError(
      'unsupported',
      'unreadable_picture',
      'This picture could not be read: it is damaged, or has too many pixels. Save it anew, smaller, and try again.',
    );
  }
  return picture;
}
