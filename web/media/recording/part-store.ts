import * as z from 'zod/mini';

/** What is known of one run of a recorder, apart from its parts. */
export const segmentRecord = z.object({
  key: z.string(),
  source: z.enum(['camera', 'screen']),
  mimeType: z.string(),
  hasVideo: z.boolean(),
  /** Milliseconds of the page's clock at its first frame. */
  startedAt: z.number(),
  /** The meeting token that begins it on the server. */
  token: z.string(),
  /** Whose recording it is part of: this browser keeps what it has recorded of any call, for any account. */
  callId: z.optional(z.string()),
  /** Once the server has begun it. */
  upload: z.optional(z.object({ segmentId: z.string(), uploadToken: z.string() })),
});
export type SegmentRecord = z.infer<typeof segmentRecord>;

/**
 * Keeps parts until the server has acknowledged them: in the browser's files, which survive the page, or in memory.
 * The newest part of a segment stays until the segment is complete, since its number says how many there are.
 */
export interface PartStore {
  readonly survivesReload: boolean;
  /** Every segment that is kept, oldest first. */
  segments(): Promise<SegmentRecord[]>;
  keepSegment(record: SegmentRecord): Promise<void>;
  keepPart(key: string, number: number, content: Blob): Promise<void>;
  /** The parts of a segment, with their sizes in bytes, in order. */
  parts(key: string): Promise<{ number: number; size: number }[]>;
  part(key: string, number: number): Promise<Blob | null>;
  forgetPart(key: string, number: number): Promise<void>;
  forgetSegment(key: string): Promise<void>;
}

/** Parts are lost with the page. */
export class MemoryPartStore implements PartStore {
  readonly survivesReload = false;
  readonly #segments = new Map<string, { record: SegmentRecord; parts: Map<number, Blob> }>();

  async segments(): Promise<SegmentRecord[]> {
    return inOrder([...this.#segments.values()].map(({ record }) => record));
  }

  async keepSegment(record: SegmentRecord): Promise<void> {
    const parts = this.#segments.get(record.key)?.parts ?? new Map<number, Blob>();
    this.#segments.set(record.key, { record, parts });
  }

  async keepPart(key: string, number: number, content: Blob): Promise<void> {
    this.#segments.get(key)?.parts.set(number, content);
  }

  async parts(key: string): Promise<{ number: number; size: number }[]> {
    const parts = [...(this.#segments.get(key)?.parts ?? [])];
    return parts.map(([number, { size }]) => ({ number, size })).sort(byNumber);
  }

  async part(key: string, number: number): Promise<Blob | null> {
    return this.#segments.get(key)?.parts.get(number) ?? null;
  }

  async forgetPart(key: string, number: number): Promise<void> {
    this.#segments.get(key)?.parts.delete(number);
  }

  async forgetSegment(key: string): Promise<void> {
    this.#segments.delete(key);
  }
}

export const byNumber = (one: { number: number }, other: { number: number }) =>
  one.number - other.number;
export const inOrder = (records: SegmentRecord[]) =>
  records.sort((one, other) => one.startedAt - other.startedAt);
