import { homedir } from 'node:os';
import { join } from 'node:path';

/** Pinned, with what it needs: another version may ask for other things. */
export const scimTesterPackages = ['scim2-tester==0.5.2', 'scim2-client==0.13.2', 'httpx2==2.16.2'];

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
/** A Python environment of its own, outside the repository. */
export const scimTesterFolder = join(cache, 'rapport', 'scim2-tester-0.5.2');
export const scimTesterPython = join(scimTesterFolder, 'bin', 'python');
