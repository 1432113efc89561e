import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');

/** Where a tool of the tests is kept, outside the repository: to fetch or build one takes long. */
export const cachedTool = (nameAndVersion: string): string =>
  join(cache, 'rapport', nameAndVersion);
