import { guardHistory } from '#web/platform/history-guard.ts';
import { isSigningInAgain } from '#web/platform/unauthorized.ts';

type Ask = (leave: () => void) => void;

interface Hold {
  ask: Ask;
  stop: () => void;
}
let held: Hold | null = null;

/**
 * While something is not saved: keeps the person on the page, and hands `ask` the way to go on. A tab
 * that is closed or reloaded is asked about by the browser itself. Returns what ends it.
 */
export function holdBack(navigate: (path: string) => void, ask: Ask): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener('beforeunload', holdUnload, { signal });
  document.addEventListener('click', (event) => holdClick(event, navigate, ask), {
    signal,
    capture: true,
  });
  holdHistory(ask);
  const hold = {
    ask,
    stop: () => {
      stop.abort();
      if (held !== hold) return;
      guardHistory(null);
      held = null;
    },
  };
  held = hold;
  return hold.stop;
}

/** At once, for who saved or discarded and goes on in the same breath. */
export function letGo(): void {
  held?.stop();
}

/** Does what leaves the page, after asking where something on it is not saved. */
export function leaveBy(go: () => void): void {
  if (held) held.ask(go);
  else go();
}

function holdUnload(event: BeforeUnloadEvent): void {
  if (!isSigningInAgain()) event.preventDefault();
}

/** The router leaves a click alone that is already dealt with. */
function holdClick(event: MouseEvent, navigate: (path: string) => void, ask: Ask): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link?.href || event.button !== 0 || opensElsewhere || link.target || link.download) return;
  const to = new URL(link.href);
  // Another site unloads the page, about which the browser asks.
  if (to.origin !== window.location.origin || to.pathname === window.location.pathname) return;
  event.preventDefault();
  ask(() => navigate(to.pathname + to.search + to.hash));
}

/** Back and Forward have happened when we hear of them: they are taken back before the router hears. */
function holdHistory(ask: Ask): void {
  const here = indexOf(window.history.state);
  let isTakingBack = false;
  guardHistory((event) => {
    const there = indexOf(event.state);
    if (here === null || there === null) return;
    event.stopImmediatePropagation();
    if (isTakingBack) {
      isTakingBack = false;
      return;
    }
    isTakingBack = true;
    window.history.go(here - there);
    ask(() => window.history.go(there - here));
  });
}

/** Where an entry is in the router's history; null for an entry of another's. */
function indexOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('idx' in state)) return null;
  return typeof state.idx === 'number' ? state.idx : null;
}
