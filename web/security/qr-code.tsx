import { useEffect, useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** A text as a QR code: black on white in either theme, since cameras read no other. */
export function QrCode({ text }: { text: string }) {
  const [cells, setCells] = useState<boolean[][] | null>(null);
  useEffect(() => {
    void import('uqr').then(({ encode }) => setCells(encode(text, { border: 2 }).data));
  }, [text]);
  if (!cells) return <Skeleton className="size-44" />;
  const path = cells
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${cells.length} ${cells.length}`}
      role="img"
      aria-label={t('security.twoFactor.qr')}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-md border bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
