import './without-eval.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { language } from '../texts/language.ts';
import { freshGuestToken } from './credentials.ts';
import { LocalMedia } from './devices/local-media.ts';
import { readChoice } from './devices/remembered-choice.ts';
import { forgetEarlyDevices } from './early/early-devices.ts';
import { openWebSocket, webSocketOpens } from './early/early-web-socket.ts';
import { dropFirstPicture, firstPicture } from './early/first-picture.ts';
import { pathsAreMade } from './early/paths-made.ts';
import { started } from './early/started.ts';
import { Frame } from './frame.ts';
import { loadGerman } from './german.ts';
import { Meeting } from './meeting.ts';
import { followPageAround } from './page-around.ts';
import { chooseTheme } from './page-theme.ts';
import { ConnectionMaker } from './paths/connection.ts';
import { loadServerPath } from './paths/load-server-path.ts';
import {
  isMeetingEntry,
  type MeetingEntry,
  orReturning,
  readEntry,
  withoutToken,
} from './read-entry.ts';

const othersFirstMs = 450;
let seen: Promise<void> | null = null;

// The line to the server, the devices and the first offer have begun before (start.ts). React comes
// after the first picture of the others: it keeps the page busy for a twentieth of a second and more,
// and each step to that picture waits for the page.
// Written by the server where every call goes by a media server: its client is needed at once then.
const byServer = document.querySelector('meta[name="media-server"]') !== null;
const address = new URL(location.href);
const entry = orReturning(
  readEntry(address, document.getElementById('boot')?.textContent ?? null),
  address.pathname,
  openStorage(() => sessionStorage),
);
const meeting = isMeetingEntry(entry) ? openMeeting(entry) : null;
if (meeting === null) takeNothing();
if (meeting && byServer) void loadAfterHello();
const words = language === 'de' ? loadGerman() : null;
void loadPage();
void showPageSoon();

/** Its file takes the page as long to begin as the server to answer: hello goes out first. */
async function loadAfterHello(): Promise<void> {
  await webSocketOpens();
  loadServerPath().catch(() => {
    // Tried again when it is needed.
  });
}

/** There is no meeting here after all. */
function takeNothing(): void {
  openWebSocket().close();
  started().offer?.connection.close();
  forgetEarlyDevices();
}

/** Its files are fetched once nothing that the first picture waits for is in their way. */
async function loadPage(): Promise<void> {
  if (meeting) await (byServer ? othersFirst(meeting) : pathsAreMade(meeting));
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) {
    link.rel = 'preload';
  }
}

function pictureSeen(meeting: Meeting): Promise<void> {
  seen ??= firstPicture(meeting, byServer);
  return seen;
}

/** What would keep the others' picture waiting waits for it, but not long. */
function othersFirst(meeting: Meeting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, othersFirstMs);
  return Promise.race([pictureSeen(meeting), promise]);
}

async function showPageSoon(): Promise<void> {
  if (meeting) await pictureSeen(meeting);
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
    openWebSocket,
    connections,
    loadServerPath,
    // A camera that starts takes what connecting to a media server needs, half a dozen messages long; and
    // what it gives is sent after the others' picture anyway (bench/livekit.ts).
    ...(byServer && { beforeDevices: othersFirst }),
    newId: () => Math.random().toString(36).slice(2),
    hostname: window.location.hostname,
    freshGuestToken,
  });
  if (!byServer) connections.warmUp();
  meeting.open();
  history.replaceState(history.state, '', withoutToken(address));
  addEventListener('pagehide', () => meeting.pageCloses());
  addEventListener('online', () => meeting.networkIs(true));
  addEventListener('offline', () => meeting.networkIs(false));
  return meeting;
}
