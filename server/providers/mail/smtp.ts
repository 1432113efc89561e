import { createTransport } from 'nodemailer';
import type { MailCarrier } from './port.ts';

/**
 * Sends by an SMTP server (RFC 5321).
 * @param url `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte
 */
export function smtpServer(url: string, from: string): MailCarrier {
  const server = createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 });
  const { hostname } = new URL(url);
  return {
    leavesMachine: true,
    async send(mail) {
      const { id, ...content } = mail;
      await server.sendMail({ ...content, from, messageId: `<${id}@${hostname}>` });
    },
  };
}
