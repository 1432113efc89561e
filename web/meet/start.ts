import { beginOffer } from '#web/media/early/early-offer.ts';
import { askForLastChoice } from '#web/media/early/last-choice.ts';
import { newWebSocket } from './early/new-web-socket.ts';

// The page's first script, a few kilobytes that are written into it: what takes long begins here, the
// line to the server, the devices and the first offer. The program that takes them over comes after it.
const byServer = document.querySelector('meta[name="media-server"]') !== null;
const webSocket = newWebSocket();
const leads = leadsIntoMeeting() && !byServer;
const devices = leads ? askForLastChoice() : null;
const offer = leads ? beginOffer(new RTCPeerConnection()) : null;
offer?.described.catch(() => {
  // Who takes it sees the same refusal.
});
window.rapportStarted = { webSocket, devices, offer };
// As a script in the page it is compiled anew at each visit; what is imported, Chromium keeps compiled.
const program = document.querySelector<HTMLLinkElement>('link[data-program]');
if (program) void import(/* @vite-ignore */ program.href);

/** The same that `readEntry` finds, without what it takes to check it: `main.ts` has the last word. */
function leadsIntoMeeting(): boolean {
  const boot = document.getElementById('boot')?.textContent;
  if (boot) return boot.startsWith('{"kind":"guest"');
  return /^\/meet\/[^/]+\/?$/.test(location.pathname) && location.search.includes('t=');
}
