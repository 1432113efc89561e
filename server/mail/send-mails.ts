import pMap from 'p-map';
import type { Mail } from '#server/providers/mail/port.ts';
import type { Services } from '#server/services.ts';
import { noteFailed, noteSent, takeDueMails } from './store.ts';

/** How often mails that are due are looked for. */
const everySeconds = 5;
/** Mails that are taken at once; an organization with a long queue delays the others by one batch. */
const batchSize = 20;
/** Mails that are handed to the carrier at the same time. */
const atOnce = 5;

/**
 * Sends what is due, batch after batch, until nothing is left or the carrier takes nothing. A mail that
 * the carrier refuses is tried again, later each time, twelve times.
 * @param isStopping ends it after the present batch
 * @returns how many were sent
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

async function sendMail({ database, mail: carrier, log }: Services, mail: Mail): Promise<boolean> {
  try {
    await carrier.send(mail);
  } catch (error) {
    log.warn({ err: error, mailId: mail.id }, 'a mail could not be sent');
    // Without the note it is due again when the time for sending it is over.
    await noteFailed(database, mail.id, error).catch((failure) =>
      log.warn({ err: failure, mailId: mail.id }, 'a failed mail could not be noted'),
    );
    return false;
  }
  try {
    await noteSent(database, mail.id);
  } catch (error) {
    // An erasure may hold it. The other mails are sent all the same.
    log.warn({ err: error, mailId: mail.id }, 'a mail that was sent could not be marked');
  }
  return true;
}

/** Keeps sending until `stop` is called, which waits for the present batch. */
export function startSendingMails(services: Services): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isStopping = false;
  const look = () => {
    running ??= sendDueMails(services, () => isStopping)
      .then(() => undefined)
      .catch((error) => services.log.error({ err: error }, 'mails could not be looked for'))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(look, everySeconds * 1000);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
