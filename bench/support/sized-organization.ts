import { prepareRoom } from '../../e2e/support/api.ts';
import type { Program } from '../../e2e/support/program.ts';
import { sessionCookie } from './sign-in.ts';

/** An organization, and the cookie of its admin. */
export interface Side {
  orgId: string;
  cookie: string;
}
export type Sides = { large: Side; small: Side };

/** Registers an organization with a room. */
export async function prepare({ url }: Program, topic: string): Promise<Side> {
  const { user } = await prepareRoom(url, topic);
  const { orgId } = await user.send<{ orgId: string }>('GET', '/api/user');
  return { orgId, cookie: await sessionCookie(url, topic) };
}

/** @throws an Error if the analytics do not count so many calls */
export async function requireCounted(
  { url }: Program,
  { cookie }: Side,
  calls: number,
): Promise<void> {
  const answer = await fetch(`${url}/api/analytics`, { headers: { cookie } });
  const { totalCalls } = await answer.json();
  if (totalCalls !== calls) throw new Error(`${totalCalls} calls are counted instead of ${calls}`);
}
