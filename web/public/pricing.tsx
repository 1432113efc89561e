import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { planList, trial } from '#domain/billing/plans.ts';
import { ButtonLink } from '#web/public/button-link.tsx';
import { fill, pathOf, usePage } from '#web/public/page-context.ts';
import { Section } from '#web/public/section.tsx';

/** The three plans (spec section 9) and the terms of the trial. */
export function Pricing() {
  const { texts } = usePage();
  return (
    <Section id="pricing" title={texts.plans.title} lead={texts.plans.lead}>
      <ul className="grid gap-5 lg:grid-cols-3 lg:items-stretch">
        {planList.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
      </ul>
      <p className="mt-8 text-center text-muted-foreground">
        {fill(texts.trial.line, { days: trial.days, calls: trial.videoCalls })}
      </p>
    </Section>
  );
}

function PlanCard({ plan }: { plan: (typeof planList)[number] }) {
  const { texts, language } = usePage();
  const { plans } = texts;
  const { id, name, priceDollarsPerMonth, mostPopular, contactSales, contents } = plan;
  return (
    <li
      className={clsx(
        'flex min-w-0 flex-col rounded-2xl border bg-card p-6 sm:p-7',
        mostPopular && 'border-brand shadow-xl ring-1 ring-brand lg:-my-3 lg:py-10',
      )}
    >
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="text-xl font-semibold tracking-tight">{name}</h3>
        {mostPopular && (
          <p className="rounded-full bg-brand px-3 py-1 text-xs font-semibold text-brand-text">
            {plans.mostPopular}
          </p>
        )}
      </div>
      <p className="mt-2 text-sm text-muted-foreground">{plans.choose[id]}</p>
      <p className="mt-6 tabular-nums">
        <span className="text-5xl font-semibold tracking-tight">${priceDollarsPerMonth}</span>
        <span className="text-muted-foreground">{plans.perMonth}</span>
      </p>
      <ul className="mt-7 mb-8 grid gap-3">
        {contents.map(({ id: content }) => (
          <li key={content} className="flex gap-3">
            <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
            <span className="capital block min-w-0 hyphens-auto wrap-anywhere">
              {plans.contents[content]}
            </span>
          </li>
        ))}
      </ul>
      <ButtonLink
        href={
          contactSales
            ? pathOf('contact', language, { query: `plan=${id}` })
            : pathOf('signup', language)
        }
        look={mostPopular ? 'primary' : 'outline'}
        className="mt-auto"
      >
        {contactSales ? plans.contactSales : plans.startTrial}
      </ButtonLink>
    </li>
  );
}
