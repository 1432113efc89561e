import { z } from 'zod';
import { callFilter } from '#domain/calls/filter.ts';
import { contract } from '#domain/contract.ts';
import { accountId, callId, roomId } from '#domain/ids.ts';
import { countWords, mostWords, termsOf } from './query.ts';

/** What is searched: transcripts, chats, notes, action items, and what was generated about a call. */
export const hitKinds = ['line', 'chat', 'note', 'action', 'insight'] as const;
export type HitKind = (typeof hitKinds)[number];

const withoutNul = (text: string) => !text.includes('\0');
const words = z
  .string()
  .trim()
  // Longer ones are not parted into words, which takes long.
  .max(200, { error: 'Please use at most 200 characters', abort: true })
  .refine(withoutNul, 'Please remove the NUL character.')
  .refine((text) => countWords(termsOf(text)) <= mostWords, 'Please use fewer words');
const speaker = z
  .string()
  .trim()
  .max(80, 'Please use at most 80 characters')
  .refine(withoutNul, 'Please remove the NUL character.');

const hit = z.object({
  kind: z.enum(hitKinds),
  /** Of lines and messages, at that time; others have none. */
  speaker: z.string().nullable(),
  /** Milliseconds after the call's start; null for what has no time. */
  startMs: z.int().nullable(),
  /** Around the first match, with an ellipsis where it is cut. */
  text: z.string(),
  /** What matches in `text`: from a UTF-16 index up to another. */
  marks: z.array(z.object({ from: z.int(), to: z.int() })),
});
export type Hit = z.infer<typeof hit>;

const foundCall = z.object({
  id: callId,
  startedAt: z.iso.datetime(),
  durationSec: z.int().nullable(),
  room: z.object({ id: roomId, topic: z.string() }),
  /** Who started it; null if not known any more. */
  agent: z.object({ id: accountId, name: z.string() }).nullable(),
  /** Of a sample room. */
  sample: z.literal(true).optional(),
  hits: z.array(hit),
  /** There are more in this call than `hits` has. */
  hasMore: z.boolean(),
});
export type FoundCall = z.infer<typeof foundCall>;

const { search: _, sort: __, ...filters } = callFilter.shape;

export const searchQuery = z.object({
  /** All words must be in one line, message, note, or item; words in quotes must follow each other. */
  q: words,
  /** Words of the name of who said or wrote it. */
  speaker: speaker.optional(),
  ...filters,
  /** Only this call, with up to 200 hits. */
  callId: callId.optional(),
  /** `true`: words are not corrected. */
  exact: z.enum(['true']).optional(),
  /** `next` of the page before. */
  before: callId.optional(),
});
export type SearchQuery = z.infer<typeof searchQuery>;

export const searchCalls = contract({
  method: 'GET',
  path: '/api/search',
  summary: 'What was said and written in calls: the newest calls first, each with its first hits',
  permission: 'calls.read',
  scope: 'calls:read',
  rateLimit: { name: 'search', most: 300, windowSeconds: 60 },
  query: searchQuery,
  output: {
    200: z.object({
      calls: z.array(foundCall),
      /** Where the words as typed found nothing: what was searched instead. */
      corrected: z.object({ q: z.string(), words: z.array(z.string()) }).nullable(),
      /** For the next page, which a page without calls may have, too. */
      next: callId.nullable(),
    }),
  },
  errors: [429],
});
export type FoundPage = {
  calls: FoundCall[];
  corrected: { q: string; words: string[] } | null;
  next: z.infer<typeof callId> | null;
};
