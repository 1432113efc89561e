import { clsx } from 'clsx';
import { ArrowRight, CalendarDays, CreditCard, Video } from 'lucide-react';
import { planList, trial } from '#domain/billing/plans.ts';
import { ButtonLink, TextLink } from '#web/public/button-link.tsx';
import { fill, pathOf, signInPath, usePage } from '#web/public/page-context.ts';
import { measure, PageTop, Section } from '#web/public/section.tsx';

/** Describes the trial (spec section 1). Its button links to /auth. */
export function SignupPage() {
  return (
    <>
      <PageTop title={usePage().texts.signup.headline} lead={usePage().texts.signup.lead} />
      <Terms />
      <FirstSteps />
    </>
  );
}

function Terms() {
  const { texts, language, signedIn } = usePage();
  const { signup, trial: terms, header } = texts;
  const values = { days: trial.days, calls: trial.videoCalls };
  const list = [
    { icon: CalendarDays, title: fill(terms.days, values), text: terms.daysText },
    { icon: CreditCard, title: terms.noCard, text: terms.noCardText },
    { icon: Video, title: fill(terms.calls, values), text: terms.callsText },
  ];
  const [starter] = planList;
  return (
    <div className={clsx(measure, 'grid gap-6 py-12 sm:py-16 lg:grid-cols-[3fr_2fr]')}>
      <div className="rounded-3xl border bg-card p-7 sm:p-10">
        <ul className="grid gap-7">
          {list.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-muted">
                <Icon aria-hidden className="size-5 text-brand-ink" />
              </span>
              <div className="min-w-0">
                <p className="text-lg font-semibold tracking-tight">{title}</p>
                <p className="text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <ButtonLink href="/auth?tab=register&next=/app" className="mt-9 w-full sm:w-auto">
          {signup.button}
          <ArrowRight aria-hidden className="size-4" />
        </ButtonLink>
        <p className="mt-5 text-sm text-muted-foreground">
          {signup.have}{' '}
          <TextLink href={signedIn ? '/app' : signInPath}>
            {signedIn ? header.openDashboard : header.signIn}
          </TextLink>
        </p>
      </div>
      <div className="rounded-3xl border p-7 sm:p-10">
        <h2 className="text-xl font-semibold tracking-tight">{signup.afterTitle}</h2>
        <p className="mt-3 leading-relaxed text-muted-foreground">
          {fill(signup.after, { price: starter.priceDollarsPerMonth })}
        </p>
        <p className="mt-5">
          <TextLink href={pathOf('home', language, { hash: 'pricing' })}>
            {signup.comparePlans}
          </TextLink>
        </p>
        <p className="mt-8 border-t pt-6 text-muted-foreground">
          {signup.questions} <TextLink href={pathOf('contact', language)}>{signup.ask}</TextLink>
        </p>
      </div>
    </div>
  );
}

function FirstSteps() {
  const { signup } = usePage().texts;
  const { next } = signup;
  const steps = [
    [next.account, next.accountText],
    [next.playbook, next.playbookText],
    [next.room, next.roomText],
  ];
  return (
    <Section title={signup.nextTitle} className="pt-4 sm:pt-8">
      <ol className="grid gap-8 sm:grid-cols-3">
        {steps.map(([title, text], at) => (
          <li key={title} className="border-t-2 border-foreground pt-5">
            <p className="text-sm font-medium text-muted-foreground tabular-nums">{at + 1}</p>
            <h3 className="mt-2 text-lg font-semibold tracking-tight">{title}</h3>
            <p className="mt-2 text-muted-foreground">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
