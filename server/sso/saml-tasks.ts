import type { Checks, SsoRefusal } from './asserted.ts';
import type { SamlAnswer, SamlSettings } from './saml-response.ts';

/** A response that the thread reads. */
export interface SamlTask {
  settings: SamlSettings;
  /** Base64, as the browser posts it. */
  given: string;
}

type Outcome =
  | { answer: SamlAnswer; refusal: null }
  | { answer: null; refusal: Pick<SsoRefusal, 'check' | 'message'> };

/** What the thread read, or why it was refused. */
export type SamlReading = Outcome & { done: Checks['done'] };
