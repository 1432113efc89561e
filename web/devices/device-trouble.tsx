import { TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { DeviceKind } from '#web/media/devices/device-problem.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { watchAccess } from '#web/media/devices/watch-access.ts';
import { siteHelpOf, whichBrowser } from '#web/media/devices/which-browser.ts';
import { laterText } from '#web/meet/later-texts.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/** Why a device cannot be used, and what to do about it in this browser: as the meeting page says it. */
export function DeviceTrouble({ media, kind }: { media: LocalMedia; kind: DeviceKind }) {
  const problem = useStore(media).problems[kind];
  useEffect(() => watchAccess(media), [media]);
  if (!problem) return null;
  const browser = whichBrowser(navigator.userAgent, navigator.maxTouchPoints);
  return (
    <div role="alert" className="grid justify-items-start gap-3 text-sm">
      <p className="flex gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
        <span>
          {laterText(`problem.${problem}.${kind}`)}{' '}
          {problem === 'blocked' && laterText(`allowSite.${siteHelpOf(browser)}`)}
          {problem === 'blockedBySystem' && laterText(`allowBrowser.${browser.system}`)}
        </span>
      </p>
      <Button look="outline" size="small" onClick={() => void media.retry()}>
        {t('devices.retry')}
      </Button>
    </div>
  );
}
