import { ownPath } from '#server/platform/own-path.ts';

/** Returns the path at which a sign-in ends. */
export const landingPath = (next: string | null | undefined): string => ownPath(next) ?? '/';

export const testPath = (id: string): string => `/app/settings/sso?test=${id}`;
