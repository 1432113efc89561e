import * as z from 'zod/mini';

/**
 * Data that the server writes into a page as `<script type="application/json" id="boot">`, so that
 * the page can start its call without a first request.
 */
export const guestBoot = z.object({
  kind: z.literal('guest'),
  organization: z.object({
    name: z.string(),
    brandColor: z.string(),
    logoUrl: z.nullable(z.string()),
  }),
  room: z.object({ id: z.string(), topic: z.string() }),
  meetingToken: z.string(),
  /** Of a person whom the embedding product names. */
  name: z.optional(z.string()),
});
/**
 * A guest of a hosted call. The meeting token is exchanged for the provider's token once the name
 * is known.
 */
export const hostedBoot = z.extend(guestBoot, { kind: z.literal('hosted') });
/** An invalid guest link, which the page reports immediately. */
export const refusedBoot = z.object({
  kind: z.literal('refused'),
  code: z.string(),
  message: z.string(),
});
/** A room outside its opening hours. The page shows when it opens, and opens it then. */
export const closedBoot = z.object({
  kind: z.literal('closed'),
  organization: guestBoot.shape.organization,
  room: z.object({ topic: z.string() }),
  opensAt: z.nullable(z.string()),
  closesAt: z.nullable(z.string()),
  /** The server's clock. */
  now: z.string(),
});
export type ClosedBoot = z.infer<typeof closedBoot>;
export const meetBoot = z.discriminatedUnion('kind', [
  guestBoot,
  hostedBoot,
  refusedBoot,
  closedBoot,
]);
export type MeetBoot = z.infer<typeof meetBoot>;
