import type { OutsideRequest } from './outside-request.ts';

/** A request for the thread. */
export interface OutsideTask extends OutsideRequest {
  id: number;
  /** Whose processor time it takes. */
  payer: string;
  /** From when the thread has it. */
  limitMs: number;
  mostBytes: number;
  cutsLongAnswers: boolean;
  /** The body of a redirect is not read. */
  followsRedirects: boolean;
}

export interface OutsideAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
}

export type OutsideOutcome = { id: number } & (
  | { answer: OutsideAnswer; failure: null }
  /** Why there is no answer, as the end of a sentence. */
  | { answer: null; failure: string }
);

const redirects = new Set([301, 302, 303, 307, 308]);

/** Whether an answer to a GET is to be followed to its `location`. */
export const isRedirect = (
  status: number,
  location: string | null | undefined,
): location is string => redirects.has(status) && typeof location === 'string';
