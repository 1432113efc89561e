import type { TenantConnection } from '#server/platform/access.ts';
import { type Destination, destinationEmail } from './destination-email.ts';
import { mailOtherAdmins } from './mail-other-admins.ts';

/**
 * Mails the other admins, in the transaction of the change, that data of the organization goes to another address.
 * @param address a URL, of which they read the host
 * @param home the server's public URL, for the link
 */
export function tellOfDestination(
  tx: TenantConnection,
  { address, ...about }: Omit<Destination, 'host'> & { address: string },
  home: string,
): Promise<void> {
  const destination = { ...about, host: new URL(address).host };
  const at = new Date();
  return mailOtherAdmins(tx, 'destination', (language, admin) =>
    destinationEmail(language, destination, { admin, at, home }),
  );
}
