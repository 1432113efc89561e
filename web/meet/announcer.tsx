import { useEffect, useState } from 'react';
import type { Chat } from './chat/chat.ts';
import type { Meeting } from './meeting.ts';
import { rosterNews } from './news.ts';
import { text } from './texts.ts';

const shownMs = 4_000;

/** Shows what just happened, and announces it to screen readers. */
export function Announcer({ meeting, chat }: { meeting: Meeting; chat: Chat }) {
  const [news, setNews] = useState('');

  useEffect(() => {
    let { roster, mutedBy } = meeting.getSnapshot();
    return meeting.subscribe(() => {
      const before = roster;
      roster = meeting.getSnapshot().roster;
      const by = mutedBy;
      mutedBy = meeting.getSnapshot().mutedBy;
      const news = rosterNews(before, roster);
      if (mutedBy !== null && mutedBy !== by) news.push(text('meeting.mutedBy', { name: mutedBy }));
      const said = news.join('. ');
      if (said !== '') setNews(said);
    });
  }, [meeting]);

  useEffect(() => {
    let { unread } = chat.getSnapshot();
    return chat.subscribe(() => {
      const { isOpen, messages, unread: now } = chat.getSnapshot();
      if (isOpen) setNews('');
      const newest = messages.at(-1);
      if (now > unread && newest) setNews(text('chat.new', newest));
      unread = now;
    });
  }, [chat]);

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
