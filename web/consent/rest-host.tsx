import { lazy, Suspense, useEffect, useState } from 'react';
import { hasRest } from '#web/media/recording/rest-mark.ts';

// It stands above all pages, so a failure to load it must not take them away.
const SendingRest = lazy(() =>
  import('#web/consent/sending-rest.tsx').catch(() => ({ default: () => null })),
);
const lookEveryMs = 4_000;

/** Rendered above the pages: sends what a call's page could not send before it was closed. */
export function RestHost() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const look = () => hasRest() && setWanted(true);
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  if (!isWanted) return null;
  return (
    <Suspense>
      <SendingRest onDone={() => setWanted(false)} />
    </Suspense>
  );
}
