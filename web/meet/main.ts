import './without-eval.ts';
import type { Store } from '#web/live/store.ts';
import { LocalMedia } from '#web/media/devices/local-media.ts';
import { readChoice } from '#web/media/devices/remembered-choice.ts';
import { forgetEarlyDevices } from '#web/media/early/early-devices.ts';
import { started } from '#web/media/early/started.ts';
import { ConnectionMaker } from '#web/media/mesh/connection-maker.ts';
import { loadSfuTransport } from '#web/media/sfu/load-sfu-transport.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { language } from '../texts/language.ts';
import { freshGuestToken } from './credentials.ts';
import { connectionsAreMade } from './early/connections-made.ts';
import { openWebSocket, webSocketOpens } from './early/early-web-socket.ts';
import { dropFirstVideo, firstVideo } from './early/first-video.ts';
import { Frame } from './frame.ts';
import { loadGerman } from './german.ts';
import { Meeting } from './meeting.ts';
import type { MeetingState } from './meeting-state.ts';
import { followPageAround } from './page-around.ts';
import { chooseTheme } from './page-theme.ts';
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
  loadSfuTransport().catch(() => {
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
  if (meeting) await (byServer ? othersFirst(meeting) : connectionsAreMade(meeting));
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) {
    link.rel = 'preload';
  }
}

function videoSeen(meeting: Store<MeetingState>): Promise<void> {
  seen ??= firstVideo(meeting, byServer);
  return seen;
}

/** What would keep the others' picture waiting waits for it, but not long. */
function othersFirst(meeting: Store<MeetingState>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, othersFirstMs);
  return Promise.race([videoSeen(meeting), promise]);
}

async function showPageSoon(): Promise<void> {
  if (meeting) await videoSeen(meeting);
  if (words) await words;
  const { showPage } = await import('./page.tsx');
  showPage(entry, meeting);
  dropFirstVideo();
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
    loadSfuTransport,
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
