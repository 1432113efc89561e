/*
 * The reader of WebM files reads a whole cluster, and whole descriptions, before it gives out the first packet. A few
 * bytes can declare gigabytes, or a block that is 256 frames. So each element's head is checked before the reader
 * gets it, and what no recorder writes ends the stream.
 */

const mostBytes = 64 * 1024;
/** At most 33 seconds, because the times of its blocks have 16 bits. */
const mostClusterBytes = 1024 * 1024;
/** Twice the packets of a cluster at 10 ms each, and its other elements. */
const mostElements = 8_000;
const mostDepth = 8;

const ebml = 0x1a45dfa3;
const segment = 0x18538067;
const cluster = 0x1f43b675;
const blockGroup = 0xa0;
const blocks = new Set([0xa3, 0xa1]);
const lacing = 0x06;
/** SeekHead, Info, Cluster, Tracks, Cues, Attachments, Chapters, Tags, and Void (RFC 9559, 5.1). */
const inSegment = new Set([
  0x114d9b74,
  0x1549a966,
  cluster,
  0x1654ae6b,
  0x1c53bb6b,
  0x1941a469,
  0x1043a770,
  0x1254c367,
  0xec,
]);
/** Elements whose content is elements. */
const parents = new Set([
  ...[ebml, segment, cluster, blockGroup],
  ...[0x114d9b74, 0x4dbb, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0xe1, 0x55b0, 0x7670],
  ...[0x6d80, 0x6240, 0x5034, 0x75a1, 0xa6, 0x1c53bb6b, 0xbb, 0xb7],
  ...[0x1941a469, 0x61a7, 0x1254c367, 0x7373, 0x63c0, 0x67c8],
]);

/** Those that the reader takes for unknown. */
const unknownSizes = new Set(['255', '1,255,255,255,255,255,255,255']);

interface Open {
  id: number;
  /** Infinity if it is not declared, as in what is written while it is recorded. */
  end: number;
}

/** The bytes of a variable-length integer, told by its first byte (RFC 8794, 4). */
const widthOf = (first: number): number => Math.clz32(first) - 23;

/** Follows the elements of a WebM file while it arrives. */
export class WebmGuard {
  #position = 0;
  /** The last byte of an element's content that need not be looked at. */
  #skipTo = 0;
  #head: number[] = [];
  #elements = 0;
  #clusterStart = 0;
  readonly #open: Open[] = [];

  /** @throws an Error at the first element that no recorder writes */
  check(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const skipped = Math.min(Math.max(0, this.#skipTo - this.#position), bytes.length - at);
      at += skipped;
      this.#position += skipped;
      if (at === bytes.length) break;
      if (this.#head.length === 0) this.#leave();
      this.#head.push(bytes[at] ?? 0);
      at += 1;
      this.#position += 1;
      if (this.#isHeadWhole()) {
        this.#enter();
        this.#head = [];
      }
    }
    if (this.#open.at(-1)?.id === cluster && this.#position - this.#clusterStart > mostClusterBytes)
      throw new Error('a cluster is too long');
  }

  /** Whether the head has arrived: id and size, and of a block its track, time, and flags. */
  #isHeadWhole(): boolean {
    const idWidth = widthOf(this.#head[0] ?? 0);
    if (idWidth > 4) throw new Error('no WebM element');
    const sizeWidth = widthOf(this.#head[idWidth] ?? 0x80);
    if (sizeWidth > 8) throw new Error('an element has no size');
    const whole = idWidth + sizeWidth + (this.#isBlock(idWidth) ? 4 : 0);
    return this.#head.length > idWidth && this.#head.length >= whole;
  }

  #isBlock(idWidth: number): boolean {
    return idWidth === 1 && blocks.has(this.#head[0] ?? 0);
  }

  /** Leaves the elements that end here. */
  #leave(): void {
    while (this.#open.at(-1)?.end === this.#position) this.#open.pop();
  }

  #enter(): void {
    const head = this.#head;
    const idWidth = widthOf(head[0] ?? 0);
    const sizeWidth = widthOf(head[idWidth] ?? 0);
    const number = (from: number, to: number) =>
      head.slice(from, to).reduce((value, byte) => value * 256 + byte, 0);
    const id = number(0, idWidth);
    const size = number(idWidth, idWidth + sizeWidth) - 2 ** (7 * sizeWidth);
    const isUnknown = unknownSizes.has(head.slice(idWidth, idWidth + sizeWidth).join());
    const start = this.#position - (head.length - idWidth - sizeWidth);
    const end = isUnknown ? Number.POSITIVE_INFINITY : start + size;
    this.#refuseMisplaced(id, end);
    this.#count(id);
    if (id !== segment && (isUnknown ? id !== cluster : size > mostOf(id)))
      throw new Error('an element is too long');
    if (this.#isBlock(idWidth)) this.#refuseLaced(size, head.slice(idWidth + sizeWidth));
    if (parents.has(id)) this.#openElement({ id, end });
    else this.#skipTo = end;
  }

  /** The reader looks for the next element of a segment wherever it finds something else. */
  #refuseMisplaced(id: number, end: number): void {
    const inner = this.#open.at(-1);
    if (inner?.id === cluster && inner.end === Number.POSITIVE_INFINITY && endsCluster(id))
      this.#open.pop();
    const parent = this.#open.at(-1);
    const isPlaced =
      parent === undefined
        ? id === ebml || id === segment
        : parent.id === segment
          ? inSegment.has(id)
          : id !== ebml && id !== segment && !endsCluster(id);
    if (!isPlaced || end > (parent?.end ?? Number.POSITIVE_INFINITY))
      throw new Error('an element is out of place');
  }

  #count(id: number): void {
    this.#elements = id === cluster ? 0 : this.#elements + 1;
    if (id === cluster) this.#clusterStart = this.#position;
    if (this.#elements > mostElements) throw new Error('a cluster has too many elements');
  }

  #refuseLaced(size: number, [track = 0, , , flags = 0]: number[]): void {
    if (size < 4 || track < 0x81) throw new Error('a block has no track');
    if (flags & lacing) throw new Error('a block has several frames');
  }

  #openElement(element: Open): void {
    if (this.#open.length >= mostDepth) throw new Error('elements are too deep');
    this.#open.push(element);
  }
}

const endsCluster = (id: number) => inSegment.has(id) && id !== 0xec;
const mostOf = (id: number) => (id === cluster ? mostClusterBytes : mostBytes);
