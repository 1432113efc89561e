import { join } from 'node:path';
import { cachedTool } from './cached-tool.ts';

/** Pinned, with what it needs: another version may ask for other things. */
export const scimTesterPackages = ['scim2-tester==0.5.2', 'scim2-client==0.13.2', 'httpx2==2.16.2'];

/** A Python environment of its own, outside the repository. */
export const scimTesterFolder = cachedTool('scim2-tester-0.5.2');
export const scimTesterPython = join(scimTesterFolder, 'bin', 'python');
