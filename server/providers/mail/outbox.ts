import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { asMessage } from './as-message.ts';
import type { MailCarrier } from './port.ts';

/** Without a mail server, writes each mail to a file that the operator can read (`.eml`, RFC 5322). */
export function outboxFolder(folder: string, from: string): MailCarrier {
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    leavesMachine: false,
    async send(mail) {
      const { id } = mail;
      const messageId = `<${id}@rapport.local>`;
      const made = await writer.sendMail({ ...asMessage(mail), from, messageId });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${id}.eml`);
      await writeFile(`${file}.new`, made.message as Buffer, { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
