import { clsx } from 'clsx';
import { ClaimsStrip } from '#web/public/claims-strip.tsx';
import { Closing } from '#web/public/closing.tsx';
import { usePage } from '#web/public/page-context.ts';
import { measure, PageTop, Section } from '#web/public/section.tsx';

export function AboutPage() {
  const { about } = usePage().texts;
  const { principles } = about;
  const list = [
    [principles.yours, principles.yoursText],
    [principles.honest, principles.honestText],
    [principles.calm, principles.calmText],
    [principles.everybody, principles.everybodyText],
  ];
  return (
    <>
      <PageTop title={about.headline} lead={about.lead} />
      <section className={clsx(measure, 'grid gap-8 py-16 sm:py-24 lg:grid-cols-[1fr_2fr]')}>
        <h2 className="text-3xl font-semibold tracking-tight">{about.storyTitle}</h2>
        <div className="grid max-w-2xl gap-5 text-lg leading-relaxed">
          {Object.values(about.story).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </section>
      <div className={measure}>
        <div className="stage-glow rounded-3xl">
          <ClaimsStrip />
        </div>
      </div>
      <Section title={about.principlesTitle}>
        <ul className="grid gap-px overflow-hidden rounded-2xl border bg-border sm:grid-cols-2">
          {list.map(([title, text]) => (
            <li key={title} className="bg-card p-7 sm:p-9">
              <h3 className="text-xl font-semibold tracking-tight">{title}</h3>
              <p className="mt-2 text-muted-foreground">{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Closing />
    </>
  );
}
