import { expect } from 'vitest';
import { sendDueMails } from '#server/mail/send-mails.ts';
import type { TestApp } from './open-test-app.ts';

/**
 * Sends the mails that are due until enough links to a page were mailed to an address. Some mails are queued
 * after the request that causes them is answered.
 * @param path of a page, such as `verify-email`
 * @param nth which of the links, counted from 1
 * @returns the token in that link
 */
export async function mailedToken(
  app: TestApp,
  email: string,
  path: string,
  nth = 1,
): Promise<string> {
  const pattern = new RegExp(`/${path}/([\\w-]+)`);
  const find = async () => {
    await sendDueMails(app.services);
    const texts = app.mails.filter(({ to }) => to === email).map(({ text }) => text);
    return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  };
  await expect.poll(async () => (await find()).length).toBeGreaterThanOrEqual(nth);
  return (await find())[nth - 1] ?? '';
}
