import { lazy, Suspense } from 'react';
import { othersInMeeting, type Roster } from '#web/live/roster.ts';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DeviceNotices } from './devices/device-notices.tsx';
import { DeviceSelects } from './devices/device-selects.tsx';
import { SpeakerTest } from './devices/speaker-test.tsx';
import { JoinForm } from './join-form.tsx';
import { Masthead } from './masthead.tsx';
import type { Meeting } from './meeting.ts';
import type { Wait } from './meeting-state.ts';
import { ConnectionTestButton } from './network/connection-test-button.tsx';
import { ReachNotice } from './network/reach-notice.tsx';
import { PreviewVideo } from './preview-video.tsx';
import { listNames, text } from './texts.ts';
import { useStore } from './use-store.ts';

const WhoIsWaiting = lazy(() => import('./lobby/who-is-waiting.tsx'));

/** The page before joining: how the others will see and hear this participant. */
export function PreviewPage({ meeting }: { meeting: Meeting }) {
  const { room, connection } = useStore(meeting);
  return (
    <div className="preview">
      <Masthead meeting={meeting} />
      <ConnectionBanner status={connection} />
      <main>
        <section className="preview-side">
          <PreviewVideo media={meeting.media} />
          <DeviceNotices media={meeting.media} />
          <ReachNotice meeting={meeting} />
        </section>
        <section className="preview-form">
          <h1>{room?.topic ?? text('join.heading')}</h1>
          <WhoIsHere meeting={meeting} />
          <WhoWaits meeting={meeting} />
          <JoinForm meeting={meeting}>
            <DeviceSelects media={meeting.media} />
            <div className="tests">
              <SpeakerTest media={meeting.media} />
              <ConnectionTestButton meeting={meeting} />
            </div>
          </JoinForm>
          <LegalLinks
            privacy={text('legal.privacy')}
            terms={text('legal.terms')}
            className="legal"
          />
        </section>
      </main>
    </div>
  );
}

function WhoIsHere({ meeting }: { meeting: Meeting }) {
  const { roster, wait } = useStore(meeting);
  return (
    <p className="hint" role="status">
      {wait ? whatGuestsSee(wait) : roster.self === null ? ' ' : whatStaffSee(roster)}
    </p>
  );
}

/** For hosts, who see the lobby. */
function WhoWaits({ meeting }: { meeting: Meeting }) {
  if (useStore(meeting).guests.length === 0) return null;
  return (
    <Suspense>
      <WhoIsWaiting meeting={meeting} />
    </Suspense>
  );
}

/** Guests see the roster only after joining. */
function whatGuestsSee({ mustAsk, hostIsHere }: Wait): string {
  if (mustAsk) return text('join.lobby');
  return text(hostIsHere ? 'join.hostIsHere' : 'join.hostIsAway');
}

function whatStaffSee(roster: Roster): string {
  const names = othersInMeeting(roster).map((one) => one.name);
  if (names.length === 0) return text('join.nobody');
  return text('join.here', { names: listNames(names), count: names.length });
}
