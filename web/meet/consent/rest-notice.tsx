import { useState } from 'react';
import { locale } from '../../texts/language.ts';
import { useStore } from '../use-store.ts';
import type { CaptureSession } from './capture-session.ts';
import { recordingText } from './recording-texts.ts';

const megabytes = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
});
/** Less than a tenth is shown as a tenth. */
export const sizeText = (bytes: number): string => megabytes.format(Math.max(0.1, bytes / 1e6));

/** What of the recording is still to be sent, after the call. */
export function RestNotice({ session }: { session: CaptureSession }) {
  const { bytesLeft, trouble } = useStore(session);
  const [most, setMost] = useState(bytesLeft);
  if (bytesLeft > most) setMost(bytesLeft);
  if (most === 0) return null;
  const key = trouble ? 'rest.trouble' : 'rest.sending';
  return (
    <div className="rest-notice" role="status">
      <p>
        {bytesLeft > 0
          ? recordingText(key, { size: sizeText(bytesLeft) })
          : recordingText('rest.done')}
      </p>
      {bytesLeft > 0 && <progress max={most} value={most - bytesLeft} />}
    </div>
  );
}
