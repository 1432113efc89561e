import { useMemo } from 'react';
import { findLinks } from './find-links.ts';

/** A text that people wrote, with its web addresses as links that open in another tab. */
export function LinkedText({ text }: { text: string }) {
  const pieces = useMemo(() => findLinks(text), [text]);
  return pieces.map(({ text: piece, href, at }) =>
    href === null ? (
      piece
    ) : (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {piece}
      </a>
    ),
  );
}
