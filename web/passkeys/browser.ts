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

/** Lets the person choose a passkey. */
export const choosePasskey = (): Promise<AuthenticationResponseJSON> => askForPasskey(false);

/**
 * Offers passkeys in the autofill of the email field, and waits there. Returns null where the
 * browser or the server can't offer any: the person asked for nothing, so no failure is shown.
 */
export async function offerPasskeys(): Promise<AuthenticationResponseJSON | null> {
  try {
    const { browserSupportsWebAuthnAutofill } = await webAuthn();
    return (await browserSupportsWebAuthnAutofill()) ? await askForPasskey(true) : null;
  } catch {
    return null;
  }
}

async function askForPasskey(useBrowserAutofill: boolean): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await webAuthn();
  const { optionsJSON } = await request(startPasskeySignIn, {});
  return startAuthentication({
    optionsJSON: optionsJSON as unknown as PublicKeyCredentialRequestOptionsJSON, // as above
    useBrowserAutofill,
  });
}

/** The person canceled, or another request replaced this one. */
export const wasCancelled = (error: unknown) =>
  error instanceof Error && /^(AbortError|NotAllowedError)$/.test(error.name);
