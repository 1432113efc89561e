import type { Location } from 'react-router';
import { z } from 'zod';

const handedOver = z.object({ email: z.string() });

/** Fills in the sign-in form by the state of the history entry: unlike a parameter, it reaches no log. */
export const withEmail = (email: string) => ({
  state: { email } satisfies z.infer<typeof handedOver>,
});

/** Returns the email address to fill in, which a page or a redirect of the server handed over. */
export function knownEmail({ search, state }: Pick<Location, 'search' | 'state'>): string {
  const given = handedOver.safeParse(state);
  return given.success ? given.data.email : (new URLSearchParams(search).get('email') ?? '');
}
