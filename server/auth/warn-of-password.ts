import type { FastifyReply } from 'fastify';

let known: Promise<Set<string>> | null = null;
/** Read when the first new password comes: most processes see few. */
const loadKnown = () =>
  import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );

/**
 * Says with the answer that many people have this password. It is taken all the same: the shortest that
 * may be is the specification's (section 5), and pages warn while it is typed.
 */
export async function warnOfCommon(reply: FastifyReply, password: string): Promise<void> {
  known ??= loadKnown();
  if ((await known).has(password.toLowerCase())) reply.header('x-password-warning', 'common');
}
