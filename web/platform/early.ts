import { frameAddress, openFrame } from '#web/calls/call-frame.ts';
import { takeBoot } from '#web/platform/boot.ts';
import { isCallPath, pages } from '#web/platform/pages.ts';

/**
 * The first thing that runs. On a call page the server has written the room and its token into the
 * page, so the call's frame starts before any of the application is loaded.
 */
function start() {
  const { user, room } = takeBoot();
  const address = room && frameAddress(room);
  // A viewer waits for a running call: only the page knows whether there is one.
  if (address && user && user.role !== 'VIEWER') openFrame(address);
  if (isCallPath(window.location.pathname)) void pages.call();
  void import('#web/platform/main.tsx');
}

// As an async script it may run before the boot data has been parsed.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
