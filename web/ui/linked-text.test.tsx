// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { findLinks } from '#web/ui/find-links.ts';
import { LinkedText } from '#web/ui/linked-text.tsx';

const linksIn = (text: string) => findLinks(text).flatMap(({ href }) => href ?? []);

test.each([
  ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
  ['(http://example.com/x)', ['http://example.com/x']],
  ['https://example.com/Mercury_(planet), really!', ['https://example.com/Mercury_(planet)']],
  [
    'HTTPS://Example.com and http://127.0.0.1:8080',
    ['https://example.com/', 'http://127.0.0.1:8080/'],
  ],
  ['“https://example.com”', ['https://example.com/']],
])('in %j the web addresses are links', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,https',
  'ftp://example.com',
  'https://',
  'https://bank.example@evil.example',
  'https://user:secret@example.com/',
  'example.com',
])('%j is no link', (text) => {
  expect(linksIn(text)).toEqual([]);
  expect(findLinks(text)).toEqual([{ text, href: null, at: 0 }]);
});

test('an address ends where a character changes the direction of writing', () => {
  expect(linksIn('https://example.com/\u202egpj.exe')).toEqual(['https://example.com/']);
});

test('the pieces are the whole text, and after 50 links the rest is plain', () => {
  const text = 'https://example.com/x, '.repeat(60);
  const pieces = findLinks(text);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.filter(({ href }) => href !== null)).toHaveLength(50);
});

test('a link opens in another tab without opener, referrer or weight for search; markup stays text', () => {
  const text = 'See <b>https://example.com</b>';
  const { container } = render(<LinkedText text={text} />);
  expect(container.textContent).toBe(text);
  const link = screen.getByRole('link', { name: 'https://example.com' });
  expect(link.getAttribute('href')).toBe('https://example.com/');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  expect(container.querySelector('b')).toBe(null);
});
