import { useMemo } from 'react';
import { qrPath } from '#web/ui/qr-path.ts';

interface QrCodeProps {
  text: string;
  /** The target of the code, for screen readers. */
  label: string;
  className?: string;
}

/** Black on white in both themes: not every camera reads an inverted code. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
