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

// The WebSocket, the devices and the first offer were started before (start.ts). React loads after
// the first video of the others: it blocks the page for a twentieth of a second and more, and each
// step to that video waits for the page.
// The server writes this tag if every call uses an SFU, whose client is then needed immediately.
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

/** Starting its file takes the page as long as the server takes to answer, so hello is sent first. */
async function loadAfterHello(): Promise<void> {
  await webSocketOpens();
  loadSfuTransport().catch(() => {
    // Loaded again when it is needed.
  });
}

/** Releases what the first script started, because this page has no meeting. */
function takeNothing(): void {
  openWebSocket().close();
  started().offer?.connection.close();
  forgetEarlyDevices();
}

/** Fetches the page's files once they can no longer delay the first video. */
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

/** Resolves when the others' first video is visible, or after a limited time. */
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
  await tellEmbedder();
}

/** The server writes this tag if the organization lets other sites embed its calls. */
async function tellEmbedder(): Promise<void> {
  const listed = document.querySelector<HTMLMetaElement>('meta[name="embedders"]');
  if (listed === null || window.parent === window) return;
  const { followEmbedder, readListedOrigins } = await import('./embedded/follow-embedder.ts');
  followEmbedder({
    inside: window,
    origins: listed.content.split(' '),
    listedNow: () => readListedOrigins(address.pathname.split('/').at(-1) ?? ''),
    entry,
    meeting,
  });
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
    // A starting camera delays the half dozen messages that connecting to an SFU needs, and its
    // video is sent after the others' video arrives anyway (bench/livekit.ts).
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
