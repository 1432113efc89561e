import type { DeviceProblem } from './device-problem.ts';
import type { LocalMedia } from './local-media.ts';

/** Problems that are solved outside of this page, without an event from the browser: retried on focus. */
const mendedElsewhere = new Set<DeviceProblem>([
  'busy',
  'blockedBySystem',
  'interrupted',
  'unknown',
]);
const names = ['camera', 'microphone'] as const;

/** Retries when a refused device is allowed. @returns a function that stops it */
export function watchAccess(media: LocalMedia): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  const isBack = () => {
    const { problems, asking } = media.getSnapshot();
    const { audio, video } = problems;
    const mayBeMended = [audio, video].some((one) => one && mendedElsewhere.has(one));
    if (mayBeMended && !asking && !document.hidden) void media.retry();
  };
  addEventListener('focus', isBack, { signal });
  document.addEventListener('visibilitychange', isBack, { signal });
  for (const name of names) void watchPermission(name, media, signal);
  return () => watch.abort();
}

async function watchPermission(
  name: (typeof names)[number],
  media: LocalMedia,
  signal: AbortSignal,
): Promise<void> {
  try {
    const status = await navigator.permissions.query({ name });
    const changed = () => {
      if (status.state === 'granted' && !media.getSnapshot().asking) void media.retry();
    };
    status.addEventListener('change', changed, { signal });
  } catch {
    // A browser without this permission query: the button remains.
  }
}
