import { clsx } from 'clsx';
import { ArrowRight, Building2, Database, ScrollText, ShieldCheck, UserCog } from 'lucide-react';
import { trial } from '#domain/billing/plans.ts';
import { ButtonLink, TextLink } from '#web/public/button-link.tsx';
import { ClaimsStrip } from '#web/public/claims-strip.tsx';
import { Closing } from '#web/public/closing.tsx';
import { fill, pathOf, usePage } from '#web/public/page-context.ts';
import { Pricing } from '#web/public/pricing.tsx';
import { ProductPicture } from '#web/public/product-picture.tsx';
import { measure, Section } from '#web/public/section.tsx';
import { AnalyticsVignette, CoachVignette, PlaybookVignette, VideoVignette } from './vignettes.tsx';

export function HomePage() {
  return (
    <>
      <Hero />
      <Highlights />
      <Steps />
      <Pricing />
      <EnterpriseReady />
      <Closing />
    </>
  );
}

function Hero() {
  const { texts, language } = usePage();
  const { home, header, closing, trial: terms } = texts;
  return (
    <>
      <div className={clsx(measure, 'pt-12 sm:pt-20')}>
        <p className="font-medium text-brand-ink">{home.eyebrow}</p>
        <h1 className="mt-4 max-w-4xl text-[clamp(2.5rem,7.5vw,5.25rem)] leading-[1.02] font-semibold tracking-[-0.035em]">
          {home.headline}
        </h1>
        <div className="mt-7 grid gap-8 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-end">
          <p className="max-w-2xl text-lg leading-relaxed text-muted-foreground sm:text-xl">
            {home.lead}
          </p>
          <div>
            <div className="flex flex-wrap gap-3">
              <ButtonLink href={pathOf('signup', language)}>
                {header.startTrial}
                <ArrowRight aria-hidden className="size-4" />
              </ButtonLink>
              <ButtonLink href={pathOf('contact', language)} look="outline">
                {closing.sales}
              </ButtonLink>
            </div>
            <p className="mt-3 text-sm text-muted-foreground">
              {fill(terms.line, { days: trial.days, calls: trial.videoCalls })}
            </p>
          </div>
        </div>
      </div>
      <div className="mx-auto mt-12 w-full max-w-7xl px-3 sm:mt-16 sm:px-6">
        <div className="stage-glow rounded-3xl p-3 sm:p-8">
          <ProductPicture />
          <ClaimsStrip />
        </div>
      </div>
    </>
  );
}

function Highlights() {
  const { texts, language } = usePage();
  const { home, features } = texts;
  const shown = [
    { text: features.playbooks, picture: <PlaybookVignette />, wide: true },
    { text: features.ai, picture: <CoachVignette />, wide: false },
    { text: features.video, picture: <VideoVignette />, wide: false },
    { text: features.analytics, picture: <AnalyticsVignette />, wide: true },
  ];
  return (
    <Section title={home.featuresTitle} lead={home.featuresLead}>
      <ul className="grid gap-x-6 gap-y-12 md:grid-cols-2 lg:grid-cols-7">
        {shown.map(({ text, picture, wide }) => (
          <li
            key={text.title}
            className={clsx(
              'row-span-2 grid grid-rows-subgrid gap-y-0',
              wide ? 'lg:col-span-4' : 'lg:col-span-3',
            )}
          >
            {picture}
            <div className="mt-5">
              <h3 className="text-xl font-semibold tracking-tight">{text.title}</h3>
              <p className="mt-2 max-w-md text-muted-foreground">{text.text}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-10">
        <TextLink href={pathOf('features', language)}>{home.allFeatures}</TextLink>
      </p>
    </Section>
  );
}

function Steps() {
  const { home } = usePage().texts;
  const { steps } = home;
  const list = [
    [steps.open, steps.openText],
    [steps.share, steps.shareText],
    [steps.follow, steps.followText],
    [steps.learn, steps.learnText],
  ];
  return (
    <div className="border-y bg-card">
      <Section title={home.stepsTitle}>
        <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
          {list.map(([title, text], at) => (
            <li key={title} className="border-t-2 border-foreground pt-5">
              <p className="text-sm font-medium text-muted-foreground tabular-nums">{at + 1}</p>
              <h3 className="mt-2 text-lg font-semibold tracking-tight">{title}</h3>
              <p className="mt-2 text-muted-foreground">{text}</p>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}

function EnterpriseReady() {
  const { texts, language } = usePage();
  const { enterprise, enterpriseTitle, enterpriseLead, enterpriseLink } = texts.home;
  const points = [
    { icon: ShieldCheck, title: enterprise.isolation, text: enterprise.isolationText },
    { icon: UserCog, title: enterprise.roles, text: enterprise.rolesText },
    { icon: ScrollText, title: enterprise.audit, text: enterprise.auditText },
    { icon: Database, title: enterprise.hosting, text: enterprise.hostingText },
  ];
  return (
    <div className="border-t">
      <Section title={enterpriseTitle} lead={enterpriseLead}>
        <ul className="grid gap-x-12 gap-y-10 sm:grid-cols-2">
          {points.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-11 shrink-0 place-items-center rounded-xl border bg-card">
                <Icon aria-hidden className="size-5 text-brand-ink" />
              </span>
              <div className="min-w-0">
                <h3 className="font-semibold">{title}</h3>
                <p className="mt-1 text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-10 flex items-center gap-2">
          <Building2 aria-hidden className="size-5 shrink-0 text-muted-foreground" />
          <TextLink href={pathOf('contact', language, { query: 'plan=enterprise' })}>
            {enterpriseLink}
          </TextLink>
        </p>
      </Section>
    </div>
  );
}
