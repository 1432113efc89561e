import { clsx } from 'clsx';
import { Button } from '#web/ui/button.tsx';

interface LoadMoreProps {
  label: string;
  pendingLabel: string;
  /** Absent if there is no further page. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
  /** `plain` is for cards, `ruled` for the end of a table. */
  look?: 'plain' | 'ruled';
}

/** The button below a list that has more pages. */
export function LoadMore({
  label,
  pendingLabel,
  more,
  isLoadingMore,
  look = 'ruled',
}: LoadMoreProps) {
  if (!more) return null;
  return (
    <div className={clsx('grid justify-items-center p-3', look === 'ruled' && 'border-t')}>
      <Button look="outline" size="small" disabled={isLoadingMore} onClick={more}>
        {isLoadingMore ? pendingLabel : label}
      </Button>
    </div>
  );
}
