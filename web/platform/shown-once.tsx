import { CopiedField } from '#web/platform/copied-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

interface ShownOnceProps {
  label: string;
  hint: string;
  value: string;
  texts: { copy: string; copied: string; done: string };
  onDone: () => void;
}

/** A new secret in a dialog, to be copied now, because it is not shown again. */
export function ShownOnce({ label, hint, value, texts, onDone }: ShownOnceProps) {
  const { copy, copied, done } = texts;
  return (
    <div className="grid gap-4">
      <CopiedField label={label} hint={hint} value={value} texts={{ copy, copied }} />
      <DialogActions>
        <Button onClick={onDone}>{done}</Button>
      </DialogActions>
    </div>
  );
}
