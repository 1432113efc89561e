import { AlertDialog } from 'radix-ui';
import { Button, type ButtonLook } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { useFocusReturn } from '#web/ui/use-focus-return.ts';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  cancelLabel: string;
  confirmLabel: string;
  look?: ButtonLook;
  pending?: boolean;
  onConfirm: () => void;
}

/** Asks for confirmation of something irreversible. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const focus = useFocusReturn();
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-black/45 backdrop-blur-[2px]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-end sm:place-items-center sm:p-6">
          <AlertDialog.Content
            {...focus}
            className="appear pointer-events-auto w-full rounded-t-2xl border bg-raised p-6 shadow-2xl sm:max-w-md sm:rounded-2xl"
          >
            <AlertDialog.Title className="text-base font-semibold">{props.title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-sm text-muted-foreground">
              {props.text}
            </AlertDialog.Description>
            <DialogActions>
              <AlertDialog.Cancel asChild>
                <Button look="outline">{props.cancelLabel}</Button>
              </AlertDialog.Cancel>
              <Button
                look={props.look ?? 'destructive'}
                disabled={props.pending}
                onClick={props.onConfirm}
              >
                {props.confirmLabel}
              </Button>
            </DialogActions>
          </AlertDialog.Content>
        </div>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
