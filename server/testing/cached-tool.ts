import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');

/**
 * Returns the folder of a test tool, outside the repository, because fetching or building one takes
 * long.
 */
export const cachedTool = (nameAndVersion: string): string =>
  join(cache, 'rapport', nameAndVersion);
