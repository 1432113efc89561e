import { afterEach, vi } from 'vitest';

/*
 * Files of the project `unit` share a process and its packages, which are loaded once. Each file loads our own modules
 * again, because pages keep state in them, and what they keep is put back after each test.
 */
vi.resetModules();
// Of a file before: a page would wait forever.
vi.useRealTimers();
afterEach(() => vi.unstubAllGlobals());

if (typeof document !== 'undefined') {
  // Testing Library does so itself, but only in the first file that loads it.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const { cleanup } = await import('@testing-library/react');
  const { dismissToast, shownToasts } = await import('#web/ui/toast-store.ts');
  afterEach(() => {
    cleanup();
    globalThis.sessionStorage?.clear();
    for (const { id } of shownToasts()) dismissToast(id);
  });
}
