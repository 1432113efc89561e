import type { Checks, SsoRefusal } from './asserted.ts';
import type { SamlAnswer, SamlSettings } from './saml-response.ts';

/** A response for the worker thread to read. */
export interface SamlTask {
  settings: SamlSettings;
  /** Base64, as the browser posts it. */
  given: string;
}

type Outcome =
  | { answer: SamlAnswer; refusal: null }
  | { answer: null; refusal: Pick<SsoRefusal, 'check' | 'message'> };

/** The thread's result, or the reason of the refusal. */
export type SamlReading = Outcome & { done: Checks['done'] };
