import { expect, test } from 'vitest';
import { type EmailContent, renderEmail } from './email-content.ts';

const content = (changed: Partial<EmailContent> = {}): EmailContent => ({
  subject: 'Join Acme on Rapport',
  heading: 'Join Acme',
  text: 'You are invited.',
  button: { label: 'Accept the invitation', url: 'https://calls.example.com/invite/abc' },
  footer: 'Then do nothing.',
  brand: { name: 'Acme', brandColor: '#ffff00', logoUrl: '/logos/1.png' },
  ...changed,
});

test('a mail shows the organization’s logo by its absolute URL, its name, and its color', () => {
  const { bodyHtml, bodyText } = renderEmail(content());
  expect(bodyHtml).toContain('<img src="https://calls.example.com/logos/1.png" alt=""');
  expect(bodyHtml).toContain('>Acme</strong>');
  expect(bodyHtml).toContain('background:#ffff00;color:#000000');
  expect(bodyText).toContain('Accept the invitation: https://calls.example.com/invite/abc');
  expect(bodyText).toContain('\nAcme\n');
});

test('a mail without a logo shows the name; without an organization, neither', () => {
  const brand = { name: 'Acme', brandColor: '#2563eb', logoUrl: null };
  expect(renderEmail(content({ brand })).bodyHtml).toMatch(/^(?!.*<img).*Acme<\/strong>/s);
  const { bodyHtml, bodyText } = renderEmail(content({ brand: null }));
  expect(bodyHtml).not.toContain('<strong');
  expect(bodyHtml).toContain('background:#2563eb;color:#ffffff');
  expect(bodyText.endsWith('Then do nothing.\n')).toBe(true);
});

test('attack 29: markup in user input is escaped everywhere', () => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
  const { bodyHtml } = renderEmail(
    content({
      subject: evil,
      heading: evil,
      text: evil,
      footer: evil,
      button: { label: evil, url: `https://calls.example.com/${evil}` },
      brand: { name: evil, brandColor: `red;${evil}`, logoUrl: `/logos/${evil}` },
    }),
  );
  expect(bodyHtml).not.toMatch(/<script|onerror=alert\(2\)>|<img src=x/);
  expect(bodyHtml.match(/<img /g)?.length).toBe(1);
});

test('the name of an organization cannot put a link into a mail', () => {
  const brand = { name: 'Pay at https://evil.test', brandColor: '#123456', logoUrl: null };
  const { bodyText, bodyHtml } = renderEmail(content({ brand }));
  expect(bodyText + bodyHtml).not.toContain('evil');
});
