import * as z from 'zod/mini';

/**
 * What the server writes into a page as `<script type="application/json" id="boot">`, so that the
 * page needs no first request before it can start its call.
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
});
/** A guest whose call is a hosted page: for that, our token is exchanged once the name is known. */
export const hostedBoot = z.extend(guestBoot, { kind: z.literal('hosted') });
/** A guest link that leads nowhere: the page says so at once. */
export const refusedBoot = z.object({
  kind: z.literal('refused'),
  code: z.string(),
  message: z.string(),
});
/** A room outside its opening hours: the page says when it opens, and opens by itself then. */
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
