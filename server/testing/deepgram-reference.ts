import { z } from 'zod';

/**
 * What a client may send to Deepgram's `/v1/listen` by WebSocket: the parameters and messages of its AsyncAPI
 * description and of the SDK, with no others allowed. Parameters that we have no use for are left out. One that is
 * missing here fails a test. Look it up before adding it.
 */
const yesOrNo = z.enum(['true', 'false']);

export const listenParameters = z.strictObject({
  model: z.string().regex(/^[a-z0-9.-]+$/),
  language: z
    .string()
    .regex(/^(multi|[a-z]{2}(-[A-Za-z]+)*)$/)
    .optional(),
  encoding: z.enum(['linear16', 'linear32', 'flac', 'opus', 'ogg-opus', 'mulaw', 'alaw']),
  /** Required with an encoding that has no container. */
  sample_rate: z.string().regex(/^\d+$/),
  channels: z.literal('1').optional(),
  punctuate: yesOrNo.optional(),
  smart_format: yesOrNo.optional(),
  interim_results: yesOrNo.optional(),
  /** Milliseconds, or not at all. */
  endpointing: z
    .string()
    .regex(/^(false|true|\d+)$/)
    .optional(),
  /** Needs interim results. */
  utterance_end_ms: z.string().regex(/^\d+$/).optional(),
  vad_events: yesOrNo.optional(),
  mip_opt_out: yesOrNo.optional(),
});

export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('KeepAlive') }),
  z.strictObject({ type: z.literal('Finalize'), channel: z.int().optional() }),
  z.strictObject({ type: z.literal('CloseStream') }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;
