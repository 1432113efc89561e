import { ConnectionMaker } from './connection.ts';
import { freshGuestToken } from './credentials.ts';
import { firstOffers, firstOffersAreOut } from './first-offers.ts';
import { Frame } from './frame.ts';
import { LocalMedia } from './local-media.ts';
import { Meeting } from './meeting.ts';
import { openStorage } from './open-storage.ts';
import { isMeetingEntry, type MeetingEntry, readEntry, withoutToken } from './read-entry.ts';
import { readChoice } from './remembered-choice.ts';

// Everything that takes time starts here, at once and side by side: the line to the server, the
// devices and the first connection. React comes when the first offers are out (meet.html loads its
// file meanwhile): it needs a twentieth of a second to start on a busy machine, which is free while
// the answer is on its way and delays the first picture before.
const address = new URL(location.href);
const entry = readEntry(address, document.getElementById('boot')?.textContent ?? null);
const meeting = isMeetingEntry(entry) ? openMeeting(entry) : null;
if (meeting === null) firstOffersAreOut();
void firstOffers.then(() => import('./page.tsx')).then(({ showPage }) => showPage(entry, meeting));

function openMeeting(entry: MeetingEntry): Meeting {
  history.replaceState(history.state, '', withoutToken(address));
  const deviceStorage = openStorage(() => localStorage);
  const { audio, video, microphoneId, cameraId, speakerId } = readChoice(deviceStorage);
  const meeting = new Meeting({
    entry,
    media: new LocalMedia({ audio, video }, { microphoneId, cameraId, speakerId }),
    frame: new Frame(window),
    tabStorage: openStorage(() => sessionStorage),
    deviceStorage,
    openWire: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`),
    connections: new ConnectionMaker(),
    newId: () => Math.random().toString(36).slice(2),
    hostname: window.location.hostname,
    freshGuestToken,
    onOffersOut: firstOffersAreOut,
  });
  meeting.open();
  addEventListener('pagehide', () => meeting.pageCloses());
  addEventListener('online', () => meeting.networkIs(true));
  addEventListener('offline', () => meeting.networkIs(false));
  return meeting;
}
