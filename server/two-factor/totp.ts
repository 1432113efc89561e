import { generateSecret, generateURI, verify } from 'otplib';

/** RFC 6238 with the parameters of all authenticator apps: SHA-1, six digits, 30 seconds. */
const toleranceSeconds = 30;
const issuer = 'Rapport';

export const newTotpSecret = () => generateSecret();

/** Returns the URI for the QR code. */
export const totpUri = (secret: string, email: string) =>
  generateURI({ issuer, label: email, secret });

/**
 * Returns the time step of a code; null for a wrong code. Codes of the previous and next step count, because
 * clocks differ. Codes of the last accepted step and earlier ones do not.
 */
export async function stepOfCode(
  secret: string,
  code: string,
  lastStep: number | null,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const result = await verify({
    secret,
    token: code,
    epochTolerance: toleranceSeconds,
    ...(lastStep === null ? {} : { afterTimeStep: lastStep }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
