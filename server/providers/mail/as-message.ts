import type { SentMail } from './port.ts';

/** Returns what nodemailer needs of a mail. Images are parts of the mail itself, shown where its HTML names them. */
export function asMessage({ to, subject, text, html, unsubscribeUrl, attachments }: SentMail) {
  return {
    ...{ to, subject, text, html },
    ...(unsubscribeUrl
      ? {
          list: { unsubscribe: { url: unsubscribeUrl } },
          headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }
      : {}),
    attachments: (attachments ?? []).map((image) => ({
      ...image,
      filename: false as const,
      contentDisposition: 'inline' as const,
    })),
    // What people entered is content, never a file or an address that is read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
