import { clsx } from 'clsx';
import { Check, CircleDot, KeyRound, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { Closing } from '#web/public/closing.tsx';
import { usePage } from '#web/public/page-context.ts';
import { measure, PageTop, Section } from '#web/public/section.tsx';
import {
  AnalyticsVignette,
  CoachVignette,
  PlaybookVignette,
  TeamVignette,
  VideoVignette,
} from './vignettes.tsx';

export function FeaturesPage() {
  const { features } = usePage().texts;
  const { more } = features;
  const around = [
    { icon: CircleDot, title: more.recording, text: more.recordingText },
    { icon: Workflow, title: more.crm, text: more.crmText },
    { icon: KeyRound, title: more.sso, text: more.ssoText },
  ];
  return (
    <>
      <PageTop title={features.headline} lead={features.lead} />
      <div className={clsx(measure, 'grid gap-20 py-16 sm:gap-28 sm:py-24')}>
        <Feature {...features.video} picture={<VideoVignette />} />
        <Feature {...features.playbooks} picture={<PlaybookVignette />} />
        <Feature {...features.ai} picture={<CoachVignette />} />
        <Feature {...features.analytics} picture={<AnalyticsVignette />} />
        <Feature {...features.team} picture={<TeamVignette />} />
      </div>
      <div className="border-t bg-card">
        <Section title={features.moreTitle} lead={features.moreLead}>
          <ul className="grid gap-8 md:grid-cols-3">
            {around.map(({ icon: Icon, title, text }) => (
              <li key={title}>
                <Icon aria-hidden className="size-6 text-brand-ink" />
                <h3 className="mt-4 text-lg font-semibold tracking-tight">{title}</h3>
                <p className="mt-2 text-muted-foreground">{text}</p>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <div className="pt-20 sm:pt-28">
        <Closing />
      </div>
    </>
  );
}

interface FeatureProps {
  title: string;
  text: string;
  points: Record<string, string>;
  picture: ReactNode;
}

/** Text and picture side by side, in reverse order in every second one. */
const Feature = ({ title, text, points, picture }: FeatureProps) => (
  <section className="group grid items-center gap-8 lg:grid-cols-2 lg:gap-16">
    <div className="lg:group-even:order-2">
      <h2 className="text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h2>
      <p className="mt-4 text-lg text-muted-foreground">{text}</p>
      <ul className="mt-6 grid gap-3">
        {Object.values(points).map((point) => (
          <li key={point} className="flex gap-3">
            <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
            <span className="min-w-0">{point}</span>
          </li>
        ))}
      </ul>
    </div>
    {picture}
  </section>
);
