import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import type { ShortcutAction } from '#domain/calls/frame-messages.ts';
import type { Network } from '#web/media/network/network.ts';
import { Announcer } from './announcer.tsx';
import type { Captions } from './captions/captions.ts';
import type { Chat } from './chat/chat.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { captureSlot } from './consent/capture-slot.ts';
import { keepAwake } from './controls/keep-awake.ts';
import type { Reactions } from './controls/reactions.ts';
import { Toolbar } from './controls/toolbar.tsx';
import { useShortcuts } from './controls/use-shortcuts.ts';
import { DeviceNotices } from './devices/device-notices.tsx';
import { MicrophoneNotice } from './devices/microphone-notice.tsx';
import { followSpace } from './devices/push-to-talk.ts';
import { ShareNotice } from './devices/share-button.tsx';
import { useFloat } from './float/use-float.ts';
import { Masthead } from './masthead.tsx';
import type { Meeting } from './meeting.ts';
import { NetworkNotice } from './network/network-notice.tsx';
import type { LayoutChoice } from './stage/layout-choice.ts';
import type { Speakers } from './stage/speakers.ts';
import { Stage } from './stage/stage.tsx';
import { useDarkPage } from './use-dark-page.ts';
import { useStore } from './use-store.ts';

const PeoplePanel = lazy(() => import('./controls/people-panel.tsx'));
const LobbyNotice = lazy(() => import('./lobby/lobby-notice.tsx'));
const ShortcutsSheet = lazy(() => import('./controls/shortcuts-sheet.tsx'));
const CaptionsArea = lazy(() => import('./captions/captions-area.tsx'));
const ChatPanel = lazy(() => import('./chat/chat-panel.tsx'));
const FloatWindow = lazy(() => import('./float/float-window.tsx'));

export type MeetingPageProps = {
  meeting: Meeting;
  chat: Chat;
  captions: Captions;
  reactions: Reactions;
  speakers: Speakers;
  choice: LayoutChoice;
  network: Network;
};

export function MeetingPage(props: MeetingPageProps) {
  const { meeting, chat, captions, reactions, speakers, choice, network } = props;
  const { connection, roster, room, isHost, guests } = useStore(meeting);
  const { loaded } = useStore(captureSlot);
  const { isOpen } = useStore(chat);
  const { isAvailable: hasCaptions, isShown: showsCaptions } = useStore(captions);
  const [people, setPeople] = useState(false);
  const [sheet, setSheet] = useState(false);
  const closePeople = useCallback(() => setPeople(false), []);
  // One panel at a time: opening one closes the other.
  useEffect(() => {
    if (isOpen) setPeople(false);
  }, [isOpen]);
  const togglePeople = () => {
    if (!people) chat.close();
    setPeople(!people);
  };
  const toggleChat = () => (isOpen ? chat.close() : chat.open());
  const float = useFloat(meeting, speakers);
  useDarkPage();
  const act = (action: ShortcutAction) => {
    const { media } = meeting;
    const { wished } = media.getSnapshot();
    if (action === 'microphone') void media.switch('audio', !wished.audio);
    if (action === 'camera') void media.switch('video', !wished.video);
    if (action === 'hand') meeting.raiseHand(meeting.getSnapshot().hand === null);
    if (action === 'chat') toggleChat();
    if (action === 'people' && isHost) togglePeople();
    if (action === 'float') float.toggle?.();
    if (action === 'sheet') setSheet(true);
  };
  useShortcuts(act);
  useEffect(() => followSpace(meeting.media), [meeting]);
  useEffect(() => keepAwake(), []);
  useEffect(() => speakers.follow(), [speakers]);
  return (
    <div className="meeting">
      <h1 className="unseen">{room?.topic}</h1>
      <Masthead meeting={meeting} />
      <ConnectionBanner status={connection} />
      {loaded && <loaded.parts.CaptureStatus meeting={meeting} session={loaded.session} />}
      <Announcer meeting={meeting} chat={chat} />
      <div className="middle">
        <Stage
          meeting={meeting}
          reactions={reactions}
          speakers={speakers}
          choice={choice}
          network={network}
        />
        {hasCaptions && showsCaptions && (
          <Suspense>
            <CaptionsArea captions={captions} />
          </Suspense>
        )}
        {guests.length > 0 && !people && (
          <Suspense>
            <LobbyNotice meeting={meeting} onShow={togglePeople} />
          </Suspense>
        )}
        {people && (
          <Suspense>
            <PeoplePanel meeting={meeting} onClose={closePeople} />
          </Suspense>
        )}
        {isOpen && (
          <Suspense>
            <ChatPanel chat={chat} roster={roster} />
          </Suspense>
        )}
      </div>
      {sheet && (
        <Suspense>
          <ShortcutsSheet isHost={isHost} onClose={() => setSheet(false)} />
        </Suspense>
      )}
      {float.window && (
        <Suspense>
          <FloatWindow window={float.window} meeting={meeting} speakers={speakers} />
        </Suspense>
      )}
      <ShareNotice screen={meeting.screen} />
      <NetworkNotice network={network} />
      <MicrophoneNotice speakers={speakers} />
      <DeviceNotices media={meeting.media} />
      <Toolbar
        {...props}
        float={float}
        people={people}
        onPeople={togglePeople}
        onShortcuts={() => setSheet(true)}
      />
    </div>
  );
}
