import { type ReactNode, useEffect, useState } from 'react';
import type { ClosedBoot } from '#domain/rooms/boot.ts';
import { locale } from '../../texts/language.ts';
import { applyBrand } from '../brand.ts';
import { laterText } from '../later-texts.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { askOpening, OpeningWatch } from './opening-watch.ts';

interface ClosedPageProps {
  boot: ClosedBoot;
  /** Passed by the page that loads this one. */
  masthead: ReactNode;
}

/** A room outside its opening hours. The page reloads when the room opens. */
export default function ClosedPage({ boot, masthead }: ClosedPageProps) {
  const { organization, room } = boot;
  const scope = location.pathname.replace(/\/$/, '');
  const [watch] = useState(
    () =>
      new OpeningWatch({
        boot,
        ask: () => askOpening(scope),
        onOpen: () => location.reload(),
        elapsed: () => performance.now(),
        setTimer: (step, ms) => setTimeout(step, ms),
      }),
  );
  const { opensAt } = useStore(watch);
  useEffect(() => {
    applyBrand(document.documentElement, organization.brandColor);
    const look = () => document.visibilityState === 'visible' && void watch.look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', look);
    };
  }, [watch, organization.brandColor]);
  return (
    <div className="ending-page">
      <title>{text('title', { topic: room.topic, organization: organization.name })}</title>
      {masthead}
      <main className="ending" data-ending="closed">
        <p className="closed-topic">{room.topic}</p>
        <h1>{laterText('closed.title')}</h1>
        {opensAt === null ? (
          <p>{laterText('closed.never')}</p>
        ) : (
          <>
            <p role="status">
              {laterText('closed.opens')}{' '}
              <time dateTime={opensAt} className="closed-time">
                {whenIs(opensAt)}
              </time>
            </p>
            <p>{laterText('closed.itself', { zone: ownZone() })}</p>
            <a className="primary" href={`${scope}/opening.ics`} download="meeting.ics">
              {laterText('closed.calendar')}
            </a>
          </>
        )}
      </main>
    </div>
  );
}

/** Formatted in the guest's language and time zone. */
const whenIs = (iso: string) =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
