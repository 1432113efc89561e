import { z } from 'zod';
import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, CallId, OrgId, RoomId } from '#domain/ids.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Mail } from '#server/providers/mail/port.ts';
import { cleanLine } from './clean-name.ts';
import { type EmailContent, renderEmail } from './email-content.ts';
import { mails } from './tables.ts';

const mailId = z.uuid();

/** A mail with the data that decides its ownership and order. */
export interface MailToQueue {
  recipient: string;
  /** The organization that causes the mail, which can read, export, and erase it; null if there is none. */
  orgId: OrgId | null;
  /** The account that the mail is about, and is deleted with; null if there is none. */
  accountId: AccountId | null;
  /** Security mail is sent first, and belongs to no organization. */
  kind: 'security' | 'invitation' | 'notice';
  content: EmailContent;
  /** What the mail is about: it is deleted with the call. */
  callId?: CallId;
  /** The room that the mail is about, outside of a call. It may name who waits there. */
  roomId?: RoomId;
  /** Roles whose holders may read it: it is deleted if the account has another one before it is sent. */
  roles?: readonly Role[];
  /** Ends mails of this kind for the recipient by one POST (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Inserts a mail in the transaction of the change that causes it. The sender sends it after the commit. */
export async function queueMail(at: Pick<Connection, 'db'>, given: MailToQueue): Promise<void> {
  const { content, roles, ...mail } = given;
  const readers = roles && { roles: [...roles] };
  await at.db.insert(mails).values({ ...mail, ...readers, ...renderedOf(content), ...unsent() });
}

type Recipient = Pick<MailToQueue, 'recipient' | 'accountId' | 'unsubscribeUrl'>;
const rowsAtOnce = 100;

/** Inserts the same mail for each recipient: rendered once, and in few statements, because rows are locked meanwhile. */
export async function queueMails(
  at: Pick<Connection, 'db'>,
  { content, ...mail }: Omit<MailToQueue, keyof Recipient | 'roles'>,
  recipients: readonly Recipient[],
): Promise<void> {
  const rendered = renderedOf(content);
  for (let first = 0; first < recipients.length; first += rowsAtOnce) {
    const some = recipients.slice(first, first + rowsAtOnce);
    const rows = some.map((one) => ({ ...mail, ...one, ...rendered, ...unsent() }));
    await at.db.insert(mails).values(rows);
  }
}

const renderedOf = (content: EmailContent) => ({
  // A line break in a header would start another header.
  subject: cleanLine(content.subject),
  ...renderEmail(content),
});

function unsent() {
  const now = new Date();
  return { id: newId(mailId), createdAt: now, attempts: 0, nextTryAt: now };
}

const takeDue: Statement = {
  name: 'take_due_mails',
  text: `select id, recipient as to, subject, body_text as text, body_html as html,
      unsubscribe_url as "unsubscribeUrl", domain, payer
    from take_due_mails($1, $2, $3)`,
};
const isWaiting: Statement = {
  name: 'is_mail_waiting',
  text: 'select is_mail_waiting($1) as "isWaiting"',
};
const markSent: Statement = { name: 'mark_mail_sent', text: 'select mark_mail_sent($1)' };
const markFailed: Statement = { name: 'mark_mail_failed', text: 'select mark_mail_failed($1, $2)' };
const forget: Statement = { name: 'forget_mails', text: 'select forget_mails($1)' };

/** A mail that this process sends. */
export interface DueMail extends Mail {
  /** Of the recipient, without subdomains. */
  domain: string | null;
  /** The organization that causes it. */
  payer: string | null;
}

/**
 * Claims the next mails for this process: security mail first, then organizations in turn.
 * @param keys domains and payers: mails of `busy` ones wait, and of `slow` ones the next is taken
 */
export const takeDueMails = (
  database: Database,
  most: number,
  { busy, slow }: { busy: readonly string[]; slow: readonly string[] } = { busy: [], slow: [] },
): Promise<DueMail[]> =>
  database.background(({ run }) => run<DueMail>(takeDue, [most, busy, slow]));

/** Whether a mail that was taken is still to be sent: it may have been deleted since. */
export async function isStillWaiting(database: Database, id: string): Promise<boolean> {
  const [row] = await database.connection('outside', ({ run }) =>
    run<{ isWaiting: boolean }>(isWaiting, [id]),
  );
  return row?.isWaiting === true;
}

/** Marks a mail as sent, and empties its bodies, whose links may still work. */
export async function noteSent(database: Database, id: string): Promise<void> {
  await database.connection('outside', ({ run }) => run(markSent, [id]));
}

/** Records a failure. After the twelfth one the mail is given up, and its bodies are emptied. */
export async function noteFailed(database: Database, id: string, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : String(error);
  await database.connection('outside', ({ run }) => run(markFailed, [id, said.slice(0, 500)]));
}

export async function forgetMails(database: Database, createdBefore: Date): Promise<void> {
  await database.connection('outside', ({ run }) => run(forget, [createdBefore]));
}
