import type { Quality } from '#web/media/network/network-level.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';

/** The quality of the connection to a participant, while it is not good. */
export function NetworkBadge({ quality }: { quality: Quality }) {
  if (quality === 'good') return null;
  const label = text(quality === 'weak' ? 'network.weakPath' : 'network.badPath');
  return (
    <span className="network" data-quality={quality} role="img" aria-label={label} title={label}>
      <Icon name="signal" />
    </span>
  );
}
