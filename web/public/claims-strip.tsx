import type { Claim } from '#domain/public/claims.ts';
import { usePage } from '#web/public/page-context.ts';

/** The operator's figures, on the dark stage. Each has its source; an example is marked as one. */
export function ClaimsStrip() {
  const { texts, claims } = usePage();
  if (claims.length === 0) return null;
  return (
    <section aria-labelledby="claims" className="px-6 pt-10 pb-8 text-white sm:px-12">
      <h2 id="claims" className="sr-only">
        {texts.claims.title}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-6 gap-y-8">
        {claims.map((claim) => (
          <ClaimFigure key={claim.text} claim={claim} />
        ))}
      </ul>
      {claims.some(({ status }) => status === 'example') && (
        <p className="mt-8 border-t border-white/15 pt-5 text-sm text-white/70">
          {texts.claims.exampleNote}
        </p>
      )}
    </section>
  );
}

function ClaimFigure({ claim }: { claim: Claim }) {
  const { texts, language } = usePage();
  const text = (language === 'de' && claim.textDe) || claim.text;
  const [figure, ...words] = text.split(' ');
  return (
    <li>
      <p>
        <span className="block text-3xl font-semibold tracking-tight tabular-nums sm:text-4xl">
          {figure}{' '}
        </span>
        <span className="text-white/80">{words.join(' ')}</span>
      </p>
      <p className="mt-2 text-xs text-white/70">
        {claim.status === 'example' ? (
          <span className="rounded-full border border-dashed border-white/50 px-2 py-0.5">
            {texts.claims.example}
          </span>
        ) : (
          `${texts.claims[claim.status]}: ${claim.source}`
        )}
      </p>
    </li>
  );
}
