import { z } from 'zod';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Mail } from '#server/providers/mail/port.ts';
import { type Letter, writeLetter } from './letter.ts';
import { mails } from './tables.ts';

const mailId = z.uuid();

/** Stores a mail with the change that it tells of; the sender takes it from there. */
export async function queueMail(
  at: Pick<Connection, 'db'>,
  recipient: string,
  letter: Letter,
): Promise<void> {
  const now = new Date();
  await at.db.insert(mails).values({
    id: newId(mailId),
    recipient,
    // A line break in a header would begin another one.
    subject: letter.subject.replace(/[\r\n]+/g, ' '),
    ...writeLetter(letter),
    createdAt: now,
    attempts: 0,
    nextTryAt: now,
  });
}

// Takes mails for the next minutes, so that two processes do not send the same one; a failed try
// waits longer each time.
const takeDue: Statement = {
  name: 'take_due_mails',
  text: `update mails set attempts = attempts + 1,
      next_try_at = now() + least(interval '1 hour', interval '1 minute' * power(2, attempts))
    where id in (
      select id from mails where sent_at is null and next_try_at <= now() and attempts < 12
      order by next_try_at limit 20 for update skip locked
    )
    returning id, recipient as to, subject, body_text as text, body_html as html`,
};
const markSent: Statement = {
  name: 'mark_mail_sent',
  text: 'update mails set sent_at = now(), last_error = null where id = $1',
};
const markFailed: Statement = {
  name: 'mark_mail_failed',
  text: 'update mails set last_error = $2 where id = $1',
};

export const takeDueMails = (database: Database): Promise<Mail[]> =>
  database.read('outside', ({ run }) => run<Mail>(takeDue, []));

export async function noteSent(database: Database, id: string): Promise<void> {
  await database.read('outside', ({ run }) => run(markSent, [id]));
}

export async function noteFailed(database: Database, id: string, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : String(error);
  await database.read('outside', ({ run }) => run(markFailed, [id, said.slice(0, 500)]));
}
