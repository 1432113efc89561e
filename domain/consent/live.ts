import * as z from 'zod/mini';
import { languages } from '#domain/languages.ts';
import { captureKind, captureKinds } from './capture.ts';

const kinds = z.array(captureKind).check(z.maxLength(captureKinds.length));
const edit = { id: z.string().check(z.minLength(1), z.maxLength(64)) };

/** A participant's newest answer about each kind: the kinds that they were asked about, and agreed to. */
export const consentState = z.object({ asked: kinds, agreed: kinds });
export type ConsentState = z.infer<typeof consentState>;

/** What of a call is captured now. */
export const captureState = z.object({
  /** The last start or stop, by the server's clock: a state with an earlier one is outdated. */
  changedAt: z.string(),
  running: z.array(z.object({ kind: captureKind, startedAt: z.string() })),
});
export type CaptureState = z.infer<typeof captureState>;

/** Starts or stops a capture of the running call; stored before `captures` tells it to everyone. */
export const captureOrder = z.object({
  type: z.literal('capture'),
  ...edit,
  kind: captureKind,
  running: z.boolean(),
});

/**
 * A participant's own answer, from the preview as well; stored before `saved` or `waiting` answers it. Kinds that
 * are asked about and not agreed to are declined, or withdrawn from then on.
 */
export const consentAnswer = z.object({
  type: z.literal('consent'),
  ...edit,
  asked: kinds,
  agreed: kinds,
  /** Of the text as it was shown (domain/consent/question.ts). */
  questionVersion: z.number(),
  language: z.enum(languages),
  /** A guest's name, where it is sent before joining. */
  name: z.optional(z.string().check(z.maxLength(1000))),
  /** Deletes what was captured of the participant in this call. */
  discard: z.optional(z.boolean()),
});

export const callCaptures = { callId: z.string(), ...captureState.shape };

/** Of the room that a page joins; absent where nothing may be captured. */
export const roomCaptures = {
  /** What runs in the call. */
  captures: z.optional(z.object(callCaptures)),
  /** What staff may start. */
  capturable: z.optional(kinds),
  /** What a participant is asked about before joining: it runs, or starts with the call. */
  asks: z.optional(kinds),
};

/** What the provider of a hosted page does, where it records. */
export const hostedRecording = {
  /**
   * `waiting`: not everyone is there, or agrees. `starting`: the provider was asked. `recording`: it has confirmed.
   * `failing`: it did not begin, and is asked again. `stopping`: it has not confirmed its end; nothing more is kept.
   */
  state: z.enum(['off', 'waiting', 'starting', 'recording', 'failing', 'stopping']),
  /** How many people have yet to agree. */
  waitingFor: z.number(),
};

/** The same, for a guest outside of the meeting. */
export const waitingCaptures = { asks: z.optional(kinds), consent: z.optional(consentState) };

/** The answer to an edit: it is stored. */
export const saved = {
  id: z.string(),
  savedAt: z.string(),
  /** A legal hold keeps what was to be deleted. */
  held: z.optional(z.boolean()),
};
