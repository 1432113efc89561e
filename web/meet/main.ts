// First, since it begins before all that the others need to begin.
import './early-wire.ts';
import { language } from '../texts/language.ts';
import { ConnectionMaker } from './connection.ts';
import { freshGuestToken } from './credentials.ts';
import { openWire, wireOpens } from './early-wire.ts';
import { dropFirstPicture, firstPicture } from './first-picture.ts';
import { Frame } from './frame.ts';
import { loadGerman } from './german.ts';
import { LocalMedia } from './local-media.ts';
import { Meeting } from './meeting.ts';
import { openStorage } from './open-storage.ts';
import { followPageAround } from './page-around.ts';
import { chooseTheme } from './page-theme.ts';
import {
  isMeetingEntry,
  type MeetingEntry,
  orReturning,
  readEntry,
  withoutToken,
} from './read-entry.ts';
import { readChoice } from './remembered-choice.ts';
import { loadServerPath } from './server-path.ts';

// Everything that takes time starts here, at once and side by side: the line to the server, the
// devices and the first connection. React comes after the first picture of the others (meet.html
// loads its file meanwhile): it keeps the page busy for a twentieth of a second and more, and each
// step to that picture waits for the page.
// Written by the server where every call goes by a media server: its client is needed at once then.
const byServer = document.querySelector('meta[name="media-server"]') !== null;
const address = new URL(location.href);
const entry = orReturning(
  readEntry(address, document.getElementById('boot')?.textContent ?? null),
  address.pathname,
  openStorage(() => sessionStorage),
);
const meeting = isMeetingEntry(entry) ? openMeeting(entry) : null;
if (meeting === null) openWire().close();
if (meeting && byServer) void loadAfterHello();
const words = language === 'de' ? loadGerman() : null;
void showPageSoon();

/** Its file takes the page as long to begin as the server to answer: hello goes out first. */
async function loadAfterHello(): Promise<void> {
  await wireOpens();
  loadServerPath().catch(() => {
    // Tried again when it is needed.
  });
}

async function showPageSoon(): Promise<void> {
  if (meeting) await firstPicture(meeting, byServer);
  if (words) await words;
  const { showPage } = await import('./page.tsx');
  showPage(entry, meeting);
  dropFirstPicture();
}

function openMeeting(entry: MeetingEntry): Meeting {
  const deviceStorage = openStorage(() => localStorage);
  const { audio, video, ...chosen } = readChoice(deviceStorage);
  const connections = new ConnectionMaker();
  const frame = new Frame(window);
  frame.onTheme(chooseTheme);
  const { microphoneId, cameraId, speakerId } = chosen;
  const blur = chosen.blur === true;
  const media = new LocalMedia({ audio, video }, { microphoneId, cameraId, speakerId, blur });
  followPageAround(frame, media);
  const meeting = new Meeting({
    entry,
    media,
    frame,
    tabStorage: openStorage(() => sessionStorage),
    deviceStorage,
    openWire,
    connections,
    loadServerPath,
    newId: () => Math.random().toString(36).slice(2),
    hostname: window.location.hostname,
    freshGuestToken,
  });
  meeting.open();
  if (byServer) connections.warmUpBrowser();
  else connections.warmUp();
  history.replaceState(history.state, '', withoutToken(address));
  addEventListener('pagehide', () => meeting.pageCloses());
  addEventListener('online', () => meeting.networkIs(true));
  addEventListener('offline', () => meeting.networkIs(false));
  return meeting;
}
