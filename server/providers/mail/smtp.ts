import { createTransport } from 'nodemailer';
import { asMessage } from './as-message.ts';
import type { MailCarrier } from './port.ts';

/**
 * A server may take a minute to accept a mail, which would be sent twice if we gave up before. `take_due_mails` gives
 * it to another process after six.
 */
const longestSilenceMs = 75_000;

/**
 * Sends by an SMTP server (RFC 5321).
 * @param url `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte
 */
export function smtpServer(url: string, from: string, silenceMs = longestSilenceMs): MailCarrier {
  const server = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: Math.min(silenceMs, 30_000),
    socketTimeout: silenceMs,
  });
  const { hostname } = new URL(url);
  return {
    leavesMachine: true,
    async send(mail) {
      await server.sendMail({ ...asMessage(mail), from, messageId: `<${mail.id}@${hostname}>` });
    },
  };
}
