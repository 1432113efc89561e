import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { startPasskeySignIn } from '#domain/passkeys/contract.ts';
import { request } from '#web/platform/api.ts';

export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function';

/** WebAuthn in the browser, loaded when somebody uses it. */
const webAuthn = () => import('@simplewebauthn/browser');

/** Makes a passkey on the person's device. */
export async function createPasskey(options: object): Promise<Record<string, unknown>> {
  const { startRegistration } = await webAuthn();
  // The server made them, in the form that the standard gives them.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

/**
 * Has the person choose a passkey.
 * @param quietly offers them among the suggestions of the email field, and waits there
 */
export async function choosePasskey(quietly: boolean): Promise<Record<string, unknown> | null> {
  const { startAuthentication, browserSupportsWebAuthnAutofill } = await webAuthn();
  if (quietly && !(await browserSupportsWebAuthnAutofill())) return null;
  const { optionsJSON } = await request(startPasskeySignIn, {});
  const response: AuthenticationResponseJSON = await startAuthentication({
    optionsJSON: optionsJSON as unknown as PublicKeyCredentialRequestOptionsJSON, // as above
    useBrowserAutofill: quietly,
  });
  return { ...response };
}

/** The person has changed their mind, or another question took this one's place. */
export const wasCancelled = (error: unknown) =>
  error instanceof Error && /^(AbortError|NotAllowedError)$/.test(error.name);
