import pMap from 'p-map';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Mail } from '#server/providers/mail/port.ts';
import type { Services } from '#server/services.ts';
import { attachLogo } from './inline-logo.ts';
import { isStillWaiting, noteFailed, noteSent, takeDueMails } from './store.ts';

/** How often the sender checks for due mails. */
const everySeconds = 5;
/** Mails per batch. An organization with a long queue delays the others by one batch. */
const batchSize = 20;
/** Concurrent handovers to the carrier. */
const atOnce = 5;

/**
 * Sends due mails in batches, until none is left or the carrier accepts none. A mail that the carrier refuses
 * is retried up to twelve times, with growing delays.
 * @param isStopping ends it after the current batch
 * @returns the number of sent mails
 */
export async function sendDueMails(
  services: Services,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let sent = 0;
  for (;;) {
    const batch = await takeDueMails(services.database, batchSize);
    const outcomes = await pMap(batch, (mail) => sendMail(services, mail), { concurrency: atOnce });
    const sentNow = outcomes.filter((isSent) => isSent).length;
    sent += sentNow;
    if (sentNow === 0 || isStopping()) return sent;
  }
}

async function sendMail(services: Services, mail: Mail): Promise<boolean> {
  const { database, mail: carrier, log } = services;
  try {
    const ready = await attachLogo(services, mail);
    // Others of its batch may have taken minutes.
    if (!(await isStillWaiting(database, mail.id))) return false;
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

/** Sends mails until it is stopped, which waits for the current batch. */
export function startSendingMails(services: Services): Repeated {
  const failed = 'mails could not be looked for';
  return repeat({ everySeconds, log: services.log, failed }, (isStopping) =>
    sendDueMails(services, isStopping),
  );
}
