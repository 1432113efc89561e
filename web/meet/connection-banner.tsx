import { useEffect, useState } from 'react';
import type { ConnectionStatus } from '../live/live-socket.ts';
import { text } from './texts.ts';

const backShownMs = 4_000;

/** Shows when the WebSocket is lost, and when it is back. */
export function ConnectionBanner({ status }: { status: ConnectionStatus }) {
  const [wasLost, setWasLost] = useState(false);
  if (status === 'lost' && !wasLost) setWasLost(true);
  const back = wasLost && status === 'online';

  useEffect(() => {
    if (!back) return;
    const timer = setTimeout(() => setWasLost(false), backShownMs);
    return () => clearTimeout(timer);
  }, [back]);

  return (
    <div role="status" className="banner-place">
      {status === 'lost' && <p className="banner lost">{text('meeting.lost')}</p>}
      {back && <p className="banner back">{text('meeting.back')}</p>}
    </div>
  );
}
