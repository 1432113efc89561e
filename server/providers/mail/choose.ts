import { join } from 'node:path';
import { outboxFolder } from './outbox.ts';
import type { MailCarrier } from './port.ts';
import { smtpServer } from './smtp.ts';

/** The mail server that is configured, else the outbox in the data folder. */
export const chooseMail = (
  smtpUrl: string | undefined,
  from: string,
  dataDir: string,
): MailCarrier =>
  smtpUrl ? smtpServer(smtpUrl, from) : outboxFolder(join(dataDir, 'outbox'), from);
