import { buffer } from 'node:stream/consumers';
import { fileId } from '#domain/ids.ts';
import { logoIdOf } from '#domain/organizations/logo.ts';
import { findLogo } from '#server/organizations/logo-store.ts';
import type { Mail, SentMail } from '#server/providers/mail/port.ts';
import type { Services } from '#server/services.ts';

const image = /<img src="cid:logo-([\w-]+)"[^>]*>/;

/**
 * Returns the HTML of an organization's logo, which refers to a part of the mail by its Content-ID (RFC 2392); empty
 * without one. Nothing is loaded from elsewhere, so opening the mail tells nobody.
 */
export function logoImage(logoUrl: string | null): string {
  const id = fileId.safeParse(logoIdOf(logoUrl?.split('/').at(-1) ?? ''));
  if (!id.success) return '';
  return `<img src="cid:logo-${id.data}" alt="" height="36" style="height:36px;max-width:160px;vertical-align:middle;border-radius:6px;margin-right:12px">`;
}

/** A mail waits no longer for its logo. */
const patienceMs = 10_000;

/** Adds the logo that the mail's HTML names. One that was replaced meanwhile, or cannot be read in time, is left out. */
export async function attachLogo(
  { database, files, log }: Pick<Services, 'database' | 'files' | 'log'>,
  mail: Mail,
): Promise<SentMail> {
  const id = fileId.safeParse(image.exec(mail.html)?.[1]);
  if (!id.success) return mail;
  try {
    const logo = await findLogo(database, id.data);
    if (logo) {
      const content = await readInTime(files, logo.key);
      const { contentType } = logo;
      return { ...mail, attachments: [{ cid: `logo-${id.data}`, content, contentType }] };
    }
  } catch (error) {
    log.warn({ err: error, mailId: mail.id }, 'the logo of a mail could not be read');
  }
  return { ...mail, html: mail.html.replace(image, '') };
}

/** @throws Error once it takes too long */
function readInTime(files: Services['files'], key: string): Promise<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const content = files.get(key);
  const timer = setTimeout(() => {
    reject(new Error(`the file store did not answer within ${patienceMs} ms`));
    content.then((stream) => stream.destroy()).catch(() => undefined);
  }, patienceMs);
  return Promise.race([content.then(buffer), late]).finally(() => clearTimeout(timer));
}
