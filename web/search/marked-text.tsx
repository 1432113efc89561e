import type { Hit } from '#domain/search/contract.ts';

/** A text with its matches marked, in the direction of its writing. */
export function MarkedText({ text, marks }: Pick<Hit, 'text' | 'marks'>) {
  const ends = [0, ...marks.map(({ to }) => to)];
  return (
    <span dir="auto" className="wrap-anywhere whitespace-pre-line">
      {marks.map(({ from, to }, at) => (
        <span key={from}>
          {text.slice(ends[at], from)}
          <mark className="rounded-sm bg-brand/20 font-medium text-foreground">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </span>
  );
}
