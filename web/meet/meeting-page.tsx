import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Announcer } from './announcer.tsx';
import type { Chat } from './chat.ts';
import { DeviceNotices } from './device-notices.tsx';
import { LinkBanner } from './link-banner.tsx';
import { Masthead } from './masthead.tsx';
import type { Meeting } from './meeting.ts';
import type { Reactions } from './reactions.ts';
import { ShareNotice } from './share-button.tsx';
import { Stage } from './stage.tsx';
import { Toolbar } from './toolbar.tsx';
import { useDarkPage } from './use-dark-page.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useStore } from './use-store.ts';

const PeoplePanel = lazy(() => import('./people-panel.tsx'));
const ChatPanel = lazy(() => import('./chat-panel.tsx'));

type MeetingPageProps = { meeting: Meeting; chat: Chat; reactions: Reactions };

export function MeetingPage({ meeting, chat, reactions }: MeetingPageProps) {
  const { link, roster } = useStore(meeting);
  const { isOpen } = useStore(chat);
  const [people, setPeople] = useState(false);
  const closePeople = useCallback(() => setPeople(false), []);
  // One panel at a time: the newer takes the place.
  useEffect(() => {
    if (isOpen) setPeople(false);
  }, [isOpen]);
  const togglePeople = () => {
    if (!people) chat.close();
    setPeople(!people);
  };
  useDarkPage();
  useShortcuts(meeting.media);
  return (
    <div className="meeting">
      <Masthead meeting={meeting} />
      <LinkBanner link={link} />
      <Announcer meeting={meeting} chat={chat} />
      <div className="middle">
        <Stage meeting={meeting} reactions={reactions} />
        {people && (
          <Suspense>
            <PeoplePanel meeting={meeting} onClose={closePeople} />
          </Suspense>
        )}
        {isOpen && (
          <Suspense>
            <ChatPanel chat={chat} self={roster.self} />
          </Suspense>
        )}
      </div>
      <ShareNotice screen={meeting.screen} />
      <DeviceNotices media={meeting.media} />
      <Toolbar meeting={meeting} chat={chat} people={people} onPeople={togglePeople} />
    </div>
  );
}
