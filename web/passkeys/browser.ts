import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { startPasskeySignIn } from '#domain/passkeys/contract.ts';
import { request } from '#web/platform/api.ts';

export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function';

/** WebAuthn in the browser, loaded on first use. */
const webAuthn = () => import('@simplewebauthn/browser');

/** Creates a passkey on the person's device. */
export async function createPasskey(options: object): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await webAuthn();
  // The server created them in the standard's JSON format.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON });
}

/**
 * Lets the person choose a passkey.
 * @param quietly offers passkeys in the autofill of the email field, and waits there
 */
export async function choosePasskey(quietly: boolean): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication, browserSupportsWebAuthnAutofill } = await webAuthn();
  if (quietly && !(await browserSupportsWebAuthnAutofill())) return null;
  const { optionsJSON } = await request(startPasskeySignIn, {});
  return startAuthentication({
    optionsJSON: optionsJSON as unknown as PublicKeyCredentialRequestOptionsJSON, // as above
    useBrowserAutofill: quietly,
  });
}

/** The person canceled, or another request replaced this one. */
export const wasCancelled = (error: unknown) =>
  error instanceof Error && /^(AbortError|NotAllowedError)$/.test(error.name);
