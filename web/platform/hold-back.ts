import { guardHistory } from '#web/platform/history-guard.ts';
import { isSigningInAgain } from '#web/platform/unauthorized.ts';

type Ask = (leave: () => void) => void;

interface Hold {
  ask: Ask;
  stop: () => void;
}
let held: Hold | null = null;

/**
 * While there are unsaved changes: keeps the person on the page, and passes `ask` a function that
 * continues. If the tab is closed or reloaded, the browser asks. Returns a function that stops it.
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

/** Stops it immediately, for code that navigates directly after saving or discarding. */
export function letGo(): void {
  held?.stop();
}

/** Calls `go`, which leaves the page, after asking if there are unsaved changes. */
export function leaveBy(go: () => void): void {
  if (held) held.ask(go);
  else go();
}

function holdUnload(event: BeforeUnloadEvent): void {
  if (!isSigningInAgain()) event.preventDefault();
}

/** The router ignores a click whose default is prevented. */
function holdClick(event: MouseEvent, navigate: (path: string) => void, ask: Ask): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link?.href || event.button !== 0 || opensElsewhere || link.target || link.download) return;
  const to = new URL(link.href);
  // A link to another site unloads the page, for which the browser asks.
  if (to.origin !== window.location.origin || to.pathname === window.location.pathname) return;
  event.preventDefault();
  ask(() => navigate(to.pathname + to.search + to.hash));
}

/** popstate fires after Back or Forward, so the step is undone before the router handles it. */
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

/** Returns the position of an entry in the router's history; null for an entry that is not the router's. */
function indexOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('idx' in state)) return null;
  return typeof state.idx === 'number' ? state.idx : null;
}
