import { clsx } from 'clsx';
import { useSyncExternalStore } from 'react';
import type { Checklist } from '#web/calls/checklist.ts';

interface ChecklistLineProps {
  id: string;
  text: string;
  checklist: Checklist;
  /** Absent for people who only read along. */
  onCheck?: (checked: boolean) => void;
}

/** One item. It subscribes to its own tick only, so that a tick renders nothing else. */
export function ChecklistLine({ id, text, checklist, onCheck }: ChecklistLineProps) {
  const checked = useSyncExternalStore(checklist.subscribe, () => checklist.isChecked(id));
  return (
    <li>
      <label
        className={clsx(
          '-mx-2 flex items-start gap-3 rounded-md px-2 py-2 text-sm',
          onCheck && 'cursor-pointer hover:bg-muted/70',
        )}
      >
        <input
          type="checkbox"
          checked={checked}
          disabled={!onCheck}
          onChange={(event) => onCheck?.(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-brand-edge"
        />
        <span
          className={clsx('min-w-0 break-words', checked && 'text-muted-foreground line-through')}
        >
          {text}
        </span>
      </label>
    </li>
  );
}
