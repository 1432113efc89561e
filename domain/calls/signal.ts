import * as z from 'zod/mini';

/** Bytes of one `signal`. An offer of three media sections takes about a third of it. */
export const longestSignalBytes = 20_000;

const description = z.object({
  type: z.enum(['offer', 'answer', 'pranswer', 'rollback']),
  sdp: z.optional(z.string()),
});

const candidate = z.object({
  candidate: z.optional(z.string()),
  sdpMid: z.optional(z.nullable(z.string())),
  sdpMLineIndex: z.optional(z.nullable(z.number())),
  usernameFragment: z.optional(z.nullable(z.string())),
});

/**
 * One step of WebRTC's negotiation: a session description, a candidate, or the end of candidates
 * (null).
 */
export const signal = z.object({
  /**
   * Identifies the pair of RTCPeerConnections, chosen by the side that makes the first offer. It
   * distinguishes answers and candidates of a connection that was replaced meanwhile.
   */
  connection: z.optional(z.string().check(z.maxLength(64))),
  description: z.optional(description),
  /** The offer changes a negotiated connection. A side that does not have this connection ignores it. */
  again: z.optional(z.literal(true)),
  candidate: z.optional(z.nullable(candidate)),
});
export type Signal = z.infer<typeof signal>;

/** RTCIceServer (WebRTC 1.0, 4.2.4). */
export const iceServer = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});
