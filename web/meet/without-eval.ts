import { config } from 'zod/mini';

/**
 * Must be imported before the first schema is created. Zod then tests whether it may compile code
 * from strings, which the page's policy refuses: that costs a violation report, and each time a
 * second pass over the whole program.
 */
config({ jitless: true });
