import { generateSecret, generateURI, verify } from 'otplib';

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, 30 seconds. */
const toleranceSeconds = 30;
const issuer = 'Rapport';

export const newTotpSecret = () => generateSecret();

/** What the QR code says. */
export const totpUri = (secret: string, email: string) =>
  generateURI({ issuer, label: email, secret });

/**
 * The step that a code is of; null for a wrong code. Codes of a step before or after count, for clocks
 * that are off; the last step that was taken and those before it do not.
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
