import { expect, test } from 'vitest';
import { contrast, markContrast, textContrast } from '#domain/organizations/brand-color.ts';
import { type EmailContent, renderEmail } from './email-content.ts';

const logoId = '0190a0b0-0000-7000-8000-000000000001';
const content = (changed: Partial<EmailContent> = {}): EmailContent => ({
  subject: 'Join Acme on Rapport',
  heading: 'Join Acme',
  text: 'You are invited.',
  button: { label: 'Accept the invitation', url: 'https://calls.example.com/invite/abc' },
  footer: 'Then do nothing.',
  brand: { name: 'Acme', brandColor: '#ffff00', logoUrl: `/logos/${logoId}.png` },
  ...changed,
});

test('a mail shows the organization’s logo as its own part, its name, and its color', () => {
  const { bodyHtml, bodyText } = renderEmail(content());
  expect(bodyHtml).toContain(`<img src="cid:logo-${logoId}" alt=""`);
  expect(bodyHtml).toContain('>Acme</strong>');
  expect(bodyHtml).toContain('background:#ffff00;color:#000000');
  expect(bodyText).toContain('Accept the invitation: https://calls.example.com/invite/abc');
  expect(bodyText).toContain('\nAcme\n');
});

test('a mail without a logo shows the name; without an organization, Rapport’s look', () => {
  const brand = { name: 'Acme', brandColor: '#2563eb', logoUrl: null };
  expect(renderEmail(content({ brand })).bodyHtml).toMatch(/^(?!.*<img).*Acme<\/strong>/s);
  const { bodyHtml, bodyText } = renderEmail(content({ brand: null }));
  expect(bodyHtml).toContain('>Rapport</strong>');
  expect(bodyHtml).toContain('background:#2563eb;color:#ffffff');
  expect(bodyText.endsWith('Then do nothing.\n')).toBe(true);
});

test.each(['#ffffff', '#000000', '#808080', '#f7f8fa', 'red;}', ''])(
  'the brand color %j gives a readable button with a visible edge, in light and dark programs',
  (brandColor) => {
    const { bodyHtml } = renderEmail(
      content({ brand: { name: 'Acme', brandColor, logoUrl: null } }),
    );
    const [, back = '', text = '', edge = ''] =
      /background:(#\w{6});color:(#\w{6});border:1px solid (#\w{6})/.exec(bodyHtml) ?? [];
    const dark = /\.button\{border-color:(#\w{6})/.exec(bodyHtml)?.[1] ?? '';
    expect(contrast(back, text)).toBeGreaterThanOrEqual(textContrast);
    expect(contrast(edge, '#ffffff')).toBeGreaterThanOrEqual(markContrast);
    expect(contrast(dark, '#171b22')).toBeGreaterThanOrEqual(markContrast);
  },
);

test('a mail program in dark mode gets readable colors for each element with a color of its own', () => {
  const { bodyHtml } = renderEmail(content({ sections: [{ title: 'Next', lines: ['One'] }] }));
  const dark = /<style>@media \(prefers-color-scheme: dark\)\{(.*)\}<\/style>/.exec(bodyHtml)?.[1];
  const colorOf = (name: string) =>
    new RegExp(`\\.${name}\\{(?:background|color):(#\\w{6})!important`).exec(dark ?? '')?.[1] ?? '';
  for (const text of ['text', 'quiet'])
    expect(contrast(colorOf(text), colorOf('card'))).toBeGreaterThanOrEqual(textContrast);
  expect(contrast(colorOf('text'), colorOf('page'))).toBeGreaterThanOrEqual(textContrast);
  const colored = [...bodyHtml.matchAll(/<\w+([^>]*style="[^"]*(?:color|background):[^"]*")/g)];
  expect(colored.length).toBeGreaterThan(6);
  for (const [, attributes] of colored) expect(attributes).toContain('class="');
});

test('attack 29: markup in user input is escaped everywhere', () => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
  const { bodyHtml } = renderEmail(
    content({
      subject: evil,
      heading: evil,
      text: evil,
      footer: evil,
      sections: [{ title: evil, lines: [evil] }],
      button: { label: evil, url: `https://calls.example.com/${evil}` },
      brand: { name: evil, brandColor: `red;${evil}`, logoUrl: `/logos/${evil}.png` },
    }),
  );
  expect(bodyHtml).not.toMatch(/<script|<img/);
});

test('the name of an organization cannot put a link into a mail', () => {
  const brand = { name: 'Pay at https://evil.test', brandColor: '#123456', logoUrl: null };
  const { bodyText, bodyHtml } = renderEmail(content({ brand }));
  expect(bodyText + bodyHtml).not.toContain('evil');
});

test('texts are shown in the order in which they are written', () => {
  const evil = 'in \u202Eelif\u2066 \u0007here\r\nand there';
  const { bodyText, bodyHtml } = renderEmail(
    content({ heading: evil, text: evil, sections: [{ title: 'T', lines: [evil] }] }),
  );
  expect(bodyText + bodyHtml).not.toMatch(/(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u);
  expect(bodyText).toContain('in  elif   here\nand there');
});
