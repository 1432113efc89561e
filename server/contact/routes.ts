import { sendContact } from '#domain/contact/contract.ts';
import { notFound } from '#domain/errors.ts';
import { answer, publicRoute, type Site } from '#server/http/route.ts';
import { queueMail } from '#server/mail/store.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { contactEmail } from './contact-email.ts';

/** Without a CONTACT_INBOX there is no recipient, and no message is accepted. */
export function contactRoutes(site: Site): void {
  const { config, database } = site;
  const inbox = config.CONTACT_INBOX;
  const writing = limit(site, 'contact', 5, 3600);
  publicRoute(site, sendContact, async ({ body, request }) => {
    if (inbox === undefined) throw notFound();
    writing(request.ip);
    // Only a bot fills in the hidden field. The answer is the same, so that it reveals nothing.
    if (body.website === '') {
      const about = { recipient: inbox, orgId: null, accountId: null, kind: 'notice' as const };
      await database.transaction('outside', (tx) =>
        queueMail(tx, { ...about, content: contactEmail(body) }),
      );
    }
    return answer(204, null);
  });
}
