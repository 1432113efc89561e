import { afterAll } from 'vitest';
import { shareBrowsers } from './browser.ts';

// Registered before the hooks of the file, so that it runs after them.
afterAll(shareBrowsers());
