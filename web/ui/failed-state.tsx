import { TriangleAlert } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface FailedStateProps {
  title: string;
  text: string;
  retryLabel: string;
  onRetry: () => void;
}

/** Shown instead of content that could not be loaded, with a button to retry. */
export function FailedState({ title, text, retryLabel, onRetry }: FailedStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={TriangleAlert}
        title={title}
        text={text}
        action={
          <Button look="outline" onClick={onRetry}>
            {retryLabel}
          </Button>
        }
      />
    </div>
  );
}
