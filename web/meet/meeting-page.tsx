import { Announcer } from './announcer.tsx';
import { DeviceNotices } from './device-notices.tsx';
import { LinkBanner } from './link-banner.tsx';
import { Masthead } from './masthead.tsx';
import type { Meeting } from './meeting.ts';
import { ShareNotice } from './share-button.tsx';
import { Stage } from './stage.tsx';
import { Toolbar } from './toolbar.tsx';
import { useDarkPage } from './use-dark-page.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useStore } from './use-store.ts';

export function MeetingPage({ meeting }: { meeting: Meeting }) {
  const { link } = useStore(meeting);
  useDarkPage();
  useShortcuts(meeting.media);
  return (
    <div className="meeting">
      <Masthead meeting={meeting} />
      <LinkBanner link={link} />
      <Announcer meeting={meeting} />
      <Stage meeting={meeting} />
      <ShareNotice screen={meeting.screen} />
      <DeviceNotices media={meeting.media} />
      <Toolbar meeting={meeting} />
    </div>
  );
}
