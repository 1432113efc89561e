import type { FastifyReply } from 'fastify';

let known: Promise<Set<string>> | null = null;
/** Loaded with the first new password, because most processes handle few. */
const loadKnown = () =>
  import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );

/**
 * Sets a warning header for a common password. The password is still accepted: the minimum length is the
 * specification's (section 5), and pages warn while it is typed.
 */
export async function warnOfCommon(reply: FastifyReply, password: string): Promise<void> {
  known ??= loadKnown();
  if ((await known).has(password.toLowerCase())) reply.header('x-password-warning', 'common');
}
