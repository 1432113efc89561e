import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { Logger } from '#server/platform/log.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import type { Services } from '#server/services.ts';
import { touchAttendances, touchOpenCalls } from './attendance-store.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';
import { mailAboutWaiting } from './mail-lobby.ts';

/** Participants who are connected, and running calls that some of them have open without having joined. */
export interface Present {
  people: ParticipantId[];
  openCalls: CallId[];
}

/** The people who are present on this process. */
interface OnThisProcess {
  stillPresent(): Promise<Present>;
  /** Renews their presence for the other processes. */
  renewPresence(): Promise<void>;
  /** Lets go of those whose sessions have expired. */
  endExpired(): Promise<void>;
}

/**
 * @param upSince when this server began to listen
 * @returns a function to call every few seconds. It marks the people present as seen and then closes
 *   deserted calls; at the same time it renews their presence, mails about waiting guests, and ends what
 *   expired sessions have opened. Each of the five is skipped while its previous run lasts, and delays none of the others: a long
 *   round of closing must not keep people from being marked.
 */
export function callsClock(services: Services, present: OnThisProcess, upSince: Date): () => void {
  const { database, log } = services;
  const [eachDeserted, eachWaiting] = [organizationRounds(), organizationRounds()];
  const close = skippedWhileRunning(log, () =>
    closeDesertedCalls(services, new Date(), upSince, eachDeserted),
  );
  const mark = skippedWhileRunning(log, async () => {
    const { people, openCalls } = await present.stillPresent();
    await touchAttendances(database, people);
    await touchOpenCalls(database, openCalls);
    close();
  });
  const mail = skippedWhileRunning(log, () => mailAboutWaiting(services, new Date(), eachWaiting));
  const renew = skippedWhileRunning(log, () => present.renewPresence());
  const expire = skippedWhileRunning(log, () => present.endExpired());
  return () => {
    mark();
    renew();
    mail();
    expire();
  };
}

function skippedWhileRunning(log: Logger, work: () => Promise<unknown>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch((error) => log.error({ err: error }, 'the clock of the calls failed'))
      .finally(() => {
        isRunning = false;
      });
  };
}
