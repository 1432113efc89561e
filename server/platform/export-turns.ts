import { FairQueue } from './fair-queue.ts';

/** Exports read one page at a time per organization, and few in total, however many there are. */
export const exportTurns = new FairQueue({ atOnce: 3, perKey: 1, mostWaiting: 200 });
