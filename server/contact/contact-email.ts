import type { ContactBody } from '#domain/contact/contract.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** Returns the operator's mail about a contact form. Its button replies. */
export function contactEmail(given: ContactBody): EmailContent {
  const { firstName, lastName, email, company, phone, planInterest, message } = given;
  const name = `${firstName} ${lastName}`;
  const lines = [
    `Name: ${name}`,
    `Business Email: ${email}`,
    `Company Name: ${company}`,
    `Phone Number: ${phone || '-'}`,
    `Plan of Interest: ${planInterest || '-'}`,
    '',
    message || '(no message)',
  ];
  return {
    subject: `Contact: ${name}, ${company}`,
    heading: `${name} from ${company} sent a message`,
    text: lines.join('\n'),
    button: { label: 'Reply', url: `mailto:${email}` },
    brand: null,
    footer: 'Sent from your contact page, which promises a reply within 24 hours.',
  };
}
