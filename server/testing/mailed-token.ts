import { sendDueMails } from '#server/mail/send-mails.ts';
import type { TestApp } from './open-test-app.ts';

/**
 * Sends the mails that are due.
 * @param path of a page, such as `verify-email`
 * @returns the token of the newest link to that page that was mailed to this address; empty if there is none
 */
export async function mailedToken(app: TestApp, email: string, path: string): Promise<string> {
  await sendDueMails(app.services);
  const pattern = new RegExp(`/${path}/([\\w-]+)`);
  const texts = app.mails.filter(({ to }) => to === email).map(({ text }) => text);
  return texts.map((text) => pattern.exec(text)?.[1]).findLast(Boolean) ?? '';
}
