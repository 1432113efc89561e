import { Button } from '#web/ui/button.tsx';

interface LoadMoreProps {
  label: string;
  pendingLabel: string;
  /** Absent when there is no further page. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

/** Below a list that goes on. */
export function LoadMore({ label, pendingLabel, more, isLoadingMore }: LoadMoreProps) {
  if (!more) return null;
  return (
    <div className="grid justify-items-center border-t p-3">
      <Button look="outline" size="small" disabled={isLoadingMore} onClick={more}>
        {isLoadingMore ? pendingLabel : label}
      </Button>
    </div>
  );
}
