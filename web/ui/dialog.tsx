import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusReturn } from '#web/ui/use-focus-return.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  closeLabel: string;
  /** False keeps the dialog open on a click outside, if that would lose input. */
  closesOutside?: boolean;
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, closeLabel, closesOutside = true } = props;
  const focus = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-black/45 backdrop-blur-[2px]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-end sm:place-items-center sm:p-6">
          <Radix.Content
            {...focus}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onInteractOutside={(event) => closesOutside || event.preventDefault()}
            className="appear pointer-events-auto relative max-h-[92dvh] w-full overflow-y-auto rounded-t-2xl border bg-raised p-6 shadow-2xl sm:max-w-lg sm:rounded-2xl"
          >
            <Radix.Title className="pr-8 text-base font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1 text-sm text-muted-foreground">
                {description}
              </Radix.Description>
            )}
            <div className="mt-5">{props.children}</div>
            <Radix.Close
              aria-label={closeLabel}
              className="absolute top-5 right-5 rounded-md p-1 text-muted-foreground hover:bg-muted hover:text-foreground"
            >
              <X aria-hidden className="size-4" />
            </Radix.Close>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons at a dialog's end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
  );
}
