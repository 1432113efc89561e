import type { Services } from '#server/services.ts';
import { noteFailed, noteSent, takeDueMails } from './store.ts';

/** How often mails that are due are looked for. */
const everySeconds = 5;

/**
 * Sends what is due. A mail that its carrier refused is tried again, later each time, twelve times.
 * @returns how many were sent
 */
export async function sendDueMails({ database, mail, log }: Services): Promise<number> {
  let sent = 0;
  for (const due of await takeDueMails(database)) {
    try {
      await mail.send(due);
      await noteSent(database, due.id);
      sent += 1;
    } catch (error) {
      log.warn({ err: error, mailId: due.id }, 'a mail could not be sent');
      await noteFailed(database, due.id, error);
    }
  }
  return sent;
}

/** Keeps sending until `stop` is called, which waits for what is under way. */
export function startSendingMails(services: Services): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const look = () => {
    running = running
      .then(() => sendDueMails(services))
      .then(() => undefined)
      .catch((error) => services.log.error({ err: error }, 'mails could not be looked for'));
  };
  const timer = setInterval(look, everySeconds * 1000);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
