import { config } from 'zod/mini';

/**
 * Imported before the first schema is made. Zod asks then whether it may make code from strings, which
 * the page's policy refuses: that costs a report, and each time a second look at the whole program.
 */
config({ jitless: true });
