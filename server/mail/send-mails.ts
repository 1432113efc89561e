import { setTimeout as sleep } from 'node:timers/promises';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Mail } from '#server/providers/mail/port.ts';
import type { Services } from '#server/services.ts';
import { attachLogo } from './inline-logo.ts';
import { type DueMail, isStillWaiting, noteFailed, noteSent, takeDueMails } from './store.ts';

/** How often the sender checks for due mails. */
const everySeconds = 5;
/** Concurrent handovers to the carrier. One that takes longer than `slowAfterMs` does not count any more. */
const atOnce = 5;
/** Places for which it is worth looking for due mails. */
const fewestPlaces = 3;
const slowAfterMs = 2_000;
const mostSlow = 50;
/** For how long the recipient's domain and the organization of a slow mail have one mail sent at a time. */
const slowForMs = 10 * 60_000;
/** After so many failures in a row, the carrier is given a rest. */
const mostFailures = 20;

interface Handover {
  mail: DueMail;
  /** When the carrier got it. */
  sendingSince: number | null;
  done: Promise<void>;
}

/** Until when the mails of these domains and organizations are sent one by one, on this process. */
const slowUntil = new Map<string, number>();
const keysOf = ({ domain, payer }: DueMail) => [domain, payer].filter((key) => key !== null);

/**
 * Sends due mails until none is left or the carrier accepts none. A mail that the carrier refuses is retried up to
 * twelve times, with growing delays. One that it accepts slowly holds up only mails of its recipient's domain, and of
 * its organization.
 * @param isStopping ends it after the current handovers
 * @returns the number of sent mails
 */
export async function sendDueMails(
  services: Services,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const handovers = new Set<Handover>();
  let sent = 0;
  let failures = 0;
  const start = (mail: DueMail) => {
    const handover: Handover = { mail, sendingSince: null, done: Promise.resolve() };
    const begin = () => {
      handover.sendingSince = performance.now();
    };
    handover.done = sendMail(services, mail, begin).then((isSent) => {
      handovers.delete(handover);
      sent += isSent ? 1 : 0;
      failures = isSent ? 0 : failures + 1;
    });
    handovers.add(handover);
  };
  try {
    for (;;) {
      const isResting = isStopping() || failures >= mostFailures;
      // What was busy may have ended by the time that nothing is found.
      const isIdle = handovers.size === 0;
      const taken = isResting ? [] : await takeNext(services, [...handovers]);
      for (const mail of taken) start(mail);
      if (isIdle && taken.length === 0) return sent;
      if (handovers.size > 0) await oneHasEnded([...handovers]);
    }
  } finally {
    // A program that ended before would send them again.
    await Promise.all([...handovers].map(({ done }) => done));
  }
}

/** Takes as many mails as there are places for, once there are some. */
async function takeNext({ database }: Services, handovers: Handover[]): Promise<DueMail[]> {
  const now = performance.now();
  const slow = handovers.filter(({ sendingSince }) => now - (sendingSince ?? now) >= slowAfterMs);
  for (const key of slow.flatMap(({ mail }) => keysOf(mail))) slowUntil.set(key, now + slowForMs);
  for (const [key, until] of slowUntil) if (until <= now) slowUntil.delete(key);
  const places = slow.length >= mostSlow ? 0 : atOnce - (handovers.length - slow.length);
  if (places < fewestPlaces) return [];
  const busy = handovers.flatMap(({ mail }) => keysOf(mail)).filter((key) => slowUntil.has(key));
  return takeDueMails(database, places, { busy: [...new Set(busy)], slow: [...slowUntil.keys()] });
}

/** Resolves once a place is free, or new mails may be due. */
async function oneHasEnded(handovers: Handover[]): Promise<void> {
  const over = new AbortController();
  const late = sleep(slowAfterMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([late, ...handovers.map(({ done }) => done)]);
  over.abort();
}

async function sendMail(services: Services, mail: Mail, begin: () => void): Promise<boolean> {
  const { database, mail: carrier, log } = services;
  try {
    const ready = await attachLogo(services, mail);
    // It may have been deleted since it was taken.
    if (!(await isStillWaiting(database, mail.id))) return false;
    begin();
    await carrier.send(ready);
  } catch (error) {
    log.warn({ err: error, mailId: mail.id }, 'a mail could not be sent');
    // If this fails, the mail is due again after its time for sending.
    await noteFailed(database, mail.id, error).catch((failure) =>
      log.warn({ err: failure, mailId: mail.id }, 'a failed mail could not be noted'),
    );
    return false;
  }
  try {
    await noteSent(database, mail.id);
  } catch (error) {
    // An erasure may hold a lock on it. The other mails must still be sent.
    log.warn({ err: error, mailId: mail.id }, 'a mail that was sent could not be marked');
  }
  return true;
}

/** Sends mails until it is stopped, which waits for the current handovers. */
export function startSendingMails(services: Services): Repeated {
  const failed = 'mails could not be looked for';
  return repeat({ everySeconds, log: services.log, failed }, (isStopping) =>
    sendDueMails(services, isStopping),
  );
}
