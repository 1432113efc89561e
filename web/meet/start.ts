import { beginOffer } from '#web/media/early/early-offer.ts';
import { askForLastChoice } from '#web/media/early/last-choice.ts';
import { newWebSocket } from './early/new-web-socket.ts';

// The page's first script, a few kilobytes inlined into it, starts what takes long: the WebSocket,
// the devices and the first offer. The program loads afterwards and takes them over.
const byServer = document.querySelector('meta[name="media-server"]') !== null;
const webSocket = newWebSocket();
const leads = leadsIntoMeeting() && !byServer;
const devices = leads ? askForLastChoice() : null;
const offer = leads ? beginOffer(new RTCPeerConnection()) : null;
offer?.described.catch(() => {
  // The code that takes over the offer gets the same error.
});
window.rapportStarted = { webSocket, devices, offer };
// An inline script is compiled at each visit; Chromium caches the compiled code of an imported
// file.
const program = document.querySelector<HTMLLinkElement>('link[data-program]');
if (program) void import(/* @vite-ignore */ program.href);

/** As `readEntry` decides, without the code to validate it: `main.ts` decides finally. */
function leadsIntoMeeting(): boolean {
  const boot = document.getElementById('boot')?.textContent;
  if (boot) return boot.startsWith('{"kind":"guest"');
  return /^\/meet\/[^/]+\/?$/.test(location.pathname) && location.search.includes('t=');
}
