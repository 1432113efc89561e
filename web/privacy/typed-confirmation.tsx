import { type ReactNode, useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface TypedConfirmationProps {
  open: boolean;
  onClose: () => void;
  title: string;
  text: string;
  label: string;
  /** The text that must be typed. */
  expected: string;
  cancelLabel: string;
  confirmLabel: string;
  /** Rejects if it was refused, after showing a toast; the dialog stays open. */
  onConfirm: () => Promise<unknown>;
  children?: ReactNode;
}

/** Asks for confirmation of something irreversible, by typing a text. */
export function TypedConfirmation(props: TypedConfirmationProps) {
  const { open, onClose, title, text, label, expected, onConfirm } = props;
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  const fits = expected !== '' && typed.trim() === expected.trim();
  const submit = useSubmitOnce(async () => {
    if (fits) await onConfirm().then(() => setTyped(''), saidByToast);
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      title={title}
      description={text}
      closeLabel={t('common.close')}
      closesOutside={false}
    >
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <Field label={label}>
          {(input) => (
            <input
              {...input}
              value={typed}
              autoComplete="off"
              onChange={({ target }) => setTyped(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        {props.children}
        <DialogActions>
          <Button look="outline" onClick={close}>
            {props.cancelLabel}
          </Button>
          <Button type="submit" look="destructive" disabled={!fits}>
            {props.confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
