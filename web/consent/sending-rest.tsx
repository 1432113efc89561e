import { useEffect, useState } from 'react';
import { openPartStore } from '#web/media/recording/file-part-store.ts';
import { recordingServer } from '#web/media/recording/recording-server.ts';
import { markRest } from '#web/media/recording/rest-mark.ts';
import { claimSegment } from '#web/media/recording/segment-locks.ts';
import { Uploader, type UploadState } from '#web/media/recording/uploader.ts';
import { t } from '#web/platform/texts.ts';
import { locale } from '#web/texts/language.ts';
import { toast } from '#web/ui/toast-store.ts';

const takeOverEveryMs = 4_000;
const megabytes = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
});

/** What is left of a recording, while it is sent. What an open page records is left to that page. */
export default function SendingRest({ onDone }: { onDone: () => void }) {
  const [{ bytesLeft, trouble }, setState] = useState<Pick<UploadState, 'bytesLeft' | 'trouble'>>({
    bytesLeft: 0,
    trouble: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, until nothing is left.
  useEffect(() => followRest(setState, onDone), []);
  useEffect(() => {
    if (bytesLeft === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [bytesLeft]);
  if (bytesLeft === 0) return null;
  const size = megabytes.format(Math.max(0.1, bytesLeft / 1e6));
  return (
    <p
      role="status"
      className="fixed bottom-4 left-4 z-40 max-w-sm rounded-md border bg-raised px-4 py-3 text-sm shadow-lg print:hidden"
    >
      {t(trouble ? 'capture.sendingTrouble' : 'capture.sending', { size })}
    </p>
  );
}

/** @returns a function that stops it */
function followRest(onState: (state: UploadState) => void, onDone: () => void): () => void {
  const stopped = new AbortController();
  void (async () => {
    const uploader = new Uploader({
      store: await openPartStore(),
      server: recordingServer,
      mayUploadVideo: async () => true,
      claim: claimSegment,
    });
    if (stopped.signal.aborted) return;
    let hasSent = false;
    uploader.subscribe(() => {
      const state = uploader.getSnapshot();
      if (state.bytesLeft > 0) hasSent = true;
      onState(state);
    });
    const look = async () => {
      await uploader.takeOver();
      if (await uploader.hasRest()) return;
      markRest(false);
      if (hasSent && !uploader.getSnapshot().refused) toast({ title: t('capture.sent') });
      onDone();
    };
    await look();
    const timer = setInterval(() => void look(), takeOverEveryMs);
    stopped.signal.addEventListener('abort', () => {
      clearInterval(timer);
      uploader.close();
    });
    if (stopped.signal.aborted) clearInterval(timer);
  })();
  return () => stopped.abort();
}
