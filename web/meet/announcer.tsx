import { useEffect, useState } from 'react';
import type { Meeting } from './meeting.ts';
import { othersInMeeting } from './roster.ts';
import { text } from './texts.ts';

const shownMs = 4_000;

/** Who came and who went, for eyes and for screen readers. */
export function Announcer({ meeting }: { meeting: Meeting }) {
  const [news, setNews] = useState('');

  useEffect(() => {
    let known = namesOf(meeting);
    let showing = sharersOf(meeting);
    return meeting.subscribe(() => {
      const now = namesOf(meeting);
      const joined = [...now].filter(([id]) => !known.has(id)).map(([, name]) => name);
      const left = [...known].filter(([id]) => !now.has(id)).map(([, name]) => name);
      known = now;
      const sharers = sharersOf(meeting);
      const began = [...sharers].filter(([id]) => !showing.has(id)).map(([, name]) => name);
      showing = sharers;
      const said = [
        ...joined.map((name) => text('meeting.joined', { name })),
        ...left.map((name) => text('meeting.left', { name })),
        ...began.map((name) => text('meeting.sharing', { name })),
      ].join('. ');
      if (said !== '') setNews(said);
    });
  }, [meeting]);

  useEffect(() => {
    if (news === '') return;
    const timer = setTimeout(() => setNews(''), shownMs);
    return () => clearTimeout(timer);
  }, [news]);

  return (
    <div className="news-place" aria-live="polite">
      {news !== '' && <p className="news">{news}</p>}
    </div>
  );
}

function namesOf(meeting: Meeting): Map<string, string> {
  const { roster } = meeting.getSnapshot();
  return new Map(othersInMeeting(roster).map(({ id, name }) => [id, name]));
}

function sharersOf(meeting: Meeting): Map<string, string> {
  const sharing = othersInMeeting(meeting.getSnapshot().roster).filter(({ media }) => media.screen);
  return new Map(sharing.map(({ id, name }) => [id, name]));
}
