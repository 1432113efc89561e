import type { Network } from '#web/media/network/network.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** A sentence about this page's network, while it is not good. */
export function NetworkNotice({ network }: { network: Network }) {
  const { own } = useStore(network);
  return (
    <div className="notices" role="status">
      {own !== 'good' && (
        <div className="notice" data-network={own}>
          <Icon name="signal" />
          <p>{text(`network.${own}`)}</p>
        </div>
      )}
    </div>
  );
}
