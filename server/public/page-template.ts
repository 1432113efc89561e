import { createHash } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** RFC 1952: deflate, no flags, no time, best compression, Unix. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3]);

/**
 * A page with gaps for one short text, compressed once. Filling the gaps costs about as much as copying
 * the page, compressed or not.
 */
export class PageTemplate {
  readonly #parts: Buffer[];
  /** Each part as deflate blocks that refer to no other part, so that a text may stand between them. */
  readonly #deflated: Buffer[];
  readonly #hash: string;

  /** @param gap marks the gaps in `page` */
  constructor(page: string, gap: string) {
    this.#parts = page.split(gap).map((part) => Buffer.from(part));
    const last = this.#parts.length - 1;
    this.#deflated = this.#parts.map((part, at) => {
      const finishFlush = at === last ? constants.Z_FINISH : constants.Z_FULL_FLUSH;
      return deflateRawSync(part, { level: 9, finishFlush });
    });
    // Without the gap's mark, which may be another one in each process.
    this.#hash = createHash('sha256').update(page.replaceAll(gap, '\0')).digest('base64');
  }

  /** Another one for each text, without looking at the whole page. */
  etag(text: string): string {
    const hash = createHash('sha256').update(this.#hash).update(text).digest('base64url');
    return `"${hash.slice(0, 22)}"`;
  }

  html(text: string): Buffer {
    return joined(this.#parts, Buffer.from(text));
  }

  gzip(text: string): Buffer {
    const bytes = Buffer.from(text);
    const [first = '', ...others] = this.#parts;
    const sum = others.reduce((crc, part) => crc32(part, crc32(bytes, crc)), crc32(first));
    const length = this.#parts.reduce((total, part) => total + part.length, 0);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(sum, 0);
    trailer.writeUInt32LE(length + others.length * bytes.length, 4);
    return Buffer.concat([gzipHeader, joined(this.#deflated, stored(bytes)), trailer]);
  }
}

function joined(parts: Buffer[], between: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [between, part])));
}

/** A deflate block without compression (RFC 1951, 3.2.4); a full flush ends at the byte that it begins at. */
function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}
