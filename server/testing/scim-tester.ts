import { join } from 'node:path';
import { cachedTool } from './cached-tool.ts';

/** Pinned with its dependencies, because another version may send other requests. */
export const scimTesterPackages = ['scim2-tester==0.5.2', 'scim2-client==0.13.2', 'httpx2==2.16.2'];

/** A separate Python environment, outside the repository. */
export const scimTesterFolder = cachedTool('scim2-tester-0.5.2');
export const scimTesterPython = join(scimTesterFolder, 'bin', 'python');
