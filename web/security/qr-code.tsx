import '#web/platform/security-texts.ts';
import { lazy, Suspense } from 'react';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

const Code = lazy(() => import('#web/ui/qr-code.tsx').then(({ QrCode }) => ({ default: QrCode })));

/** The authenticator's key as a QR code. The drawing code is loaded on first use. */
export function QrCode({ text }: { text: string }) {
  return (
    <Suspense fallback={<Skeleton className="size-44" />}>
      <Code
        text={text}
        label={t('security.twoFactor.qr')}
        className="size-44 shrink-0 rounded-md border bg-white"
      />
    </Suspense>
  );
}
