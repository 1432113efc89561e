import { join } from 'node:path';
import { outboxFolder } from './outbox.ts';
import type { MailCarrier } from './port.ts';
import { smtpServer } from './smtp.ts';

/** Returns the configured mail server, or else the outbox in the data folder. */
export const chooseMail = (
  smtpUrl: string | undefined,
  from: string,
  dataDir: string,
): MailCarrier =>
  smtpUrl ? smtpServer(smtpUrl, from) : outboxFolder(join(dataDir, 'outbox'), from);
