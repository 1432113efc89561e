import './meet.css';
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import type { ToBrowser } from '#domain/calls/live.ts';
import { OwnMicrophone } from '#web/media/devices/own-microphone.ts';
import { Network } from '#web/media/network/network.ts';
import { watchSoon } from '#web/media/network/watch-soon.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { applyBrand } from './brand.ts';
import { Captions } from './captions/captions.ts';
import { Chat } from './chat/chat.ts';
import { followCaptures } from './consent/capture-slot.ts';
import { Reactions } from './controls/reactions.ts';
import { EndingPage } from './ending-page.tsx';
import { followKnocks } from './lobby/knocks.ts';
import type { Meeting } from './meeting.ts';
import { MeetingPage, type MeetingPageProps } from './meeting-page.tsx';
import { OrganizationMast } from './organization-mast.tsx';
import { PreviewPage } from './preview-page.tsx';
import type { Entry } from './read-entry.ts';
import { LayoutChoice } from './stage/layout-choice.ts';
import { Speakers } from './stage/speakers.ts';
import { refusalText, text } from './texts.ts';
import { useStore } from './use-store.ts';

const LobbyPage = lazy(() => import('./lobby/lobby-page.tsx'));
const HostedPage = lazy(() => import('./hosted/hosted-page.tsx'));
const ClosedPage = lazy(() => import('./lobby/closed-page.tsx'));

/** Renders the page. The meeting started before this file was loaded. */
export function showPage(entry: Entry, meeting: Meeting | null): void {
  const place = document.getElementById('root');
  if (place === null) return;
  if (meeting) {
    followLooks(meeting);
    followCaptures(meeting);
    followKnocks(
      meeting,
      () => void import('./lobby/on-knock.ts').then(({ onKnock }) => onKnock(meeting)),
    );
  }
  createRoot(place).render(meeting ? phasesOf(meeting) : <Nowhere entry={entry} />);
}

function phasesOf(meeting: Meeting) {
  const onMessage = (listener: (message: ToBrowser) => void) => meeting.onMessage(listener);
  const chat = new Chat({
    send: (message) => meeting.send(message),
    onMessage,
    self: () => meeting.getSnapshot().roster.self,
    newId: () => Math.random().toString(36).slice(2),
  });
  const parts = {
    meeting,
    chat,
    captions: new Captions(
      openStorage(() => localStorage),
      onMessage,
    ),
    reactions: new Reactions(onMessage),
    speakers: new Speakers(meeting, new OwnMicrophone(meeting.media)),
    choice: new LayoutChoice(openStorage(() => localStorage)),
    network: new Network(),
  };
  watchSoon(meeting, parts.network);
  return <Phases {...parts} />;
}

function Phases(parts: MeetingPageProps) {
  const { meeting } = parts;
  const { phase, ending, wait } = useStore(meeting);
  if (phase === 'preview') return <PreviewPage meeting={meeting} />;
  if (phase === 'meeting' && wait) {
    return (
      <Suspense>
        <LobbyPage meeting={meeting} wait={wait} />
      </Suspense>
    );
  }
  if (phase === 'meeting' || ending === null) {
    return <MeetingPage {...parts} />;
  }
  return <EndingPage meeting={meeting} ending={ending} />;
}

function Nowhere({ entry }: { entry: Entry }) {
  if (entry.kind === 'closed') {
    return (
      <Suspense>
        <ClosedPage
          boot={entry}
          masthead={<OrganizationMast organization={entry.organization} />}
        />
      </Suspense>
    );
  }
  if (entry.kind === 'hosted') {
    return (
      <Suspense>
        <HostedPage entry={entry} />
      </Suspense>
    );
  }
  const refused = entry.kind === 'refused';
  return (
    <main className="ending">
      <h1>{text(refused ? 'ending.refused.title' : 'ending.nowhere.title')}</h1>
      <p>{refused ? refusalText(entry.code, entry.message) : text('ending.nowhere.text')}</p>
    </main>
  );
}

/** The organization's color and the tab's title, which React does not render. */
function followLooks(meeting: Meeting): void {
  let shown: unknown = null;
  let title = '';
  const show = () => {
    const { organization, room, guests } = meeting.getSnapshot();
    if (organization === null || room === null) return;
    if (organization !== shown) {
      shown = organization;
      applyBrand(document.documentElement, organization.brandColor);
    }
    const plain = text('title', { topic: room.topic, organization: organization.name });
    const counted = guests.length > 0 ? `(${guests.length}) ${plain}` : plain;
    if (counted !== title) document.title = title = counted;
  };
  meeting.subscribe(show);
  show();
}
