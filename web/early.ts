import { frameAddress, onMeetingMessage, openFrame } from '#web/calls/call-frame.ts';
import { pages } from '#web/pages.ts';
import { takeBoot } from '#web/platform/boot.ts';
import { learnTime } from '#web/platform/clock.ts';
import { isCallPath } from '#web/rooms/paths.ts';
import { loadGerman } from '#web/texts/german.ts';
import { language } from '#web/texts/language.ts';

/**
 * The application runs on the same thread as the call's frame. Loaded immediately, it delayed the
 * others' first video from 0.44 to 0.67 s (median, two cores), so the frame has a head start: until
 * a moment after it has joined, and never longer than this.
 */
const headStartMs = 600;
const afterJoiningMs = 200;

const words = language === 'de' ? loadGerman() : null;

/**
 * Runs first. On a call page the server has written the room and its token into the page, so the
 * call's frame starts before any of the application is loaded.
 */
function start() {
  const { user, room, servedAt } = takeBoot();
  if (servedAt) learnTime(servedAt);
  const address = room && frameAddress(room);
  // A viewer waits for a running call: only the application knows whether there is one.
  if (!address || !user || user.role === 'VIEWER') return loadApplication();
  openFrame(address);
  if (!joinsAtOnce()) return loadApplication();
  setTimeout(loadApplication, headStartMs);
  const stop = onMeetingMessage((message) => {
    if (!isJoined(message)) return;
    stop();
    setTimeout(loadApplication, afterJoiningMs);
  });
}

/** Whether the meeting page joins without its preview, which needs no head start. */
function joinsAtOnce(): boolean {
  try {
    return JSON.parse(localStorage.getItem('rapport.meet') ?? '{}').skipPreview === true;
  } catch {
    return false;
  }
}

/** Loading it again has no effect. */
async function loadApplication() {
  if (words) await words;
  if (isCallPath(window.location.pathname)) void pages.call();
  void import('#web/main.tsx');
}

const isJoined = (message: unknown) =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'joined';

// An async script may run before the boot data has been parsed.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
