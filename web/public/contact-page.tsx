import { clsx } from 'clsx';
import { Clock, Sparkles } from 'lucide-react';
import { TextLink } from '#web/public/button-link.tsx';
import { ContactForm } from '#web/public/contact-form.tsx';
import { pathOf, usePage } from '#web/public/page-context.ts';
import { measure, PageTop } from '#web/public/section.tsx';

export function ContactPage() {
  const { texts, language } = usePage();
  const { contact, header } = texts;
  return (
    <>
      <PageTop title={contact.headline} lead={contact.lead} />
      <div className={clsx(measure, 'grid gap-10 py-12 sm:py-16 lg:grid-cols-[3fr_2fr] lg:gap-16')}>
        <ContactForm />
        <div className="grid content-start gap-8 lg:pt-10">
          <div className="flex gap-4">
            <Clock aria-hidden className="mt-1 size-5 shrink-0 text-brand-ink" />
            <div>
              <h2 className="font-semibold">{contact.hoursTitle}</h2>
              <p className="mt-1 text-muted-foreground">{contact.hours}</p>
            </div>
          </div>
          <div className="flex gap-4">
            <Sparkles aria-hidden className="mt-1 size-5 shrink-0 text-brand-ink" />
            <div>
              <h2 className="font-semibold">{contact.trialTitle}</h2>
              <p className="mt-1 mb-2 text-muted-foreground">{contact.trialText}</p>
              <TextLink href={pathOf('signup', language)}>{header.startTrial}</TextLink>
            </div>
          </div>
        </div>
      </div>
    </>
  );
}
