import './meet.css';
import { createRoot } from 'react-dom/client';
import { applyBrand } from './brand.ts';
import { EndingPage } from './ending-page.tsx';
import type { Meeting } from './meeting.ts';
import { MeetingPage } from './meeting-page.tsx';
import { PreviewPage } from './preview-page.tsx';
import type { Entry } from './read-entry.ts';
import { refusalText, text } from './texts.ts';
import { useStore } from './use-store.ts';

/** Puts the page on the screen; the meeting has begun before this file was there. */
export function showPage(entry: Entry, meeting: Meeting | null): void {
  const place = document.getElementById('root');
  if (place === null) return;
  if (meeting) followLooks(meeting);
  createRoot(place).render(meeting ? <Phases meeting={meeting} /> : <Nowhere entry={entry} />);
}

function Phases({ meeting }: { meeting: Meeting }) {
  const { phase, ending } = useStore(meeting);
  if (phase === 'preview') return <PreviewPage meeting={meeting} />;
  if (phase === 'meeting' || ending === null) return <MeetingPage meeting={meeting} />;
  return <EndingPage meeting={meeting} ending={ending} />;
}

function Nowhere({ entry }: { entry: Entry }) {
  const refused = entry.kind === 'refused';
  return (
    <main className="ending">
      <h1>{text(refused ? 'ending.refused.title' : 'ending.nowhere.title')}</h1>
      <p>{refused ? refusalText(entry.code, entry.message) : text('ending.nowhere.text')}</p>
    </main>
  );
}

/** The organisation's colour and the tab's title, which are not React's. */
function followLooks(meeting: Meeting): void {
  let shown: unknown = null;
  const show = () => {
    const { organization, room } = meeting.getSnapshot();
    if (organization === null || room === null || organization === shown) return;
    shown = organization;
    applyBrand(document.documentElement, organization.brandColor);
    document.title = text('title', { topic: room.topic, organization: organization.name });
  };
  meeting.subscribe(show);
  show();
}
