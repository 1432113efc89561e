import { clsx } from 'clsx';
import { ButtonLink } from '#web/public/button-link.tsx';
import { pathOf, usePage } from '#web/public/page-context.ts';
import { measure } from '#web/public/section.tsx';

/** The end of every page except the forms. */
export function Closing() {
  const { texts, language } = usePage();
  return (
    <section className={clsx(measure, 'pb-20 sm:pb-28')}>
      <div className="stage-glow rounded-3xl px-6 py-14 text-white sm:px-14 sm:py-20">
        <h2 className="max-w-xl text-3xl font-semibold tracking-tight sm:text-5xl">
          {texts.closing.title}
        </h2>
        <p className="mt-4 text-lg text-white/80">{texts.closing.lead}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink href={pathOf('signup', language)}>{texts.header.startTrial}</ButtonLink>
          <ButtonLink href={pathOf('contact', language)} look="glass">
            {texts.closing.sales}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
