import type { ServerResponse } from 'node:http';
import { FairQueue } from './fair-queue.ts';

/** Open downloads of one account. Each holds a page of what it sends, and the next one, for as long as its reader takes. */
const atOnce = 2;
/** As many as an account may begin within its rates. */
const mostWaiting = 60;

const places = new FairQueue({ atOnce: Number.POSITIVE_INFINITY, perKey: atOnce, mostWaiting });

/**
 * Waits until the account has a place for another download, which is free once the answer closes. Nothing of what is
 * sent is read before.
 * @throws DomainError 429 when too many of the account wait
 */
export function takeExportPlace(account: string, answer: ServerResponse): Promise<void> {
  return new Promise((begin, refuse) => {
    const held = () => {
      begin();
      return closed(answer);
    };
    places.run(account, held).catch(refuse);
  });
}

const closed = (answer: ServerResponse): Promise<void> =>
  answer.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => {
        answer.once('close', resolve);
      });
