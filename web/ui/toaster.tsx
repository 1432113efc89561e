import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { dismissToast, onToasts, shownToasts, toastDurationMs } from '#web/ui/toast-store.ts';

const looks = {
  default: 'bg-raised text-foreground',
  destructive: 'border-transparent bg-destructive text-destructive-text',
};

/** The region where messages appear. `label` names it; `{hotkey}` in it is replaced by the key. */
export function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toasts = useSyncExternalStore(onToasts, shownToasts);
  return (
    <Toast.Provider duration={toastDurationMs} swipeDirection="right" swipeThreshold={50}>
      {toasts.map(({ id, open, title, description, tone = 'default' }) => (
        <Toast.Root
          key={id}
          open={open}
          onOpenChange={(next) => next || dismissToast(id)}
          data-look={tone}
          className={clsx(
            'toast flex items-start gap-3 rounded-md border p-4 shadow-lg',
            looks[tone],
          )}
        >
          <div className="grid min-w-0 flex-1 gap-1 wrap-anywhere">
            <Toast.Title className="text-sm font-semibold">{title}</Toast.Title>
            {description && (
              <Toast.Description className="text-sm opacity-90">{description}</Toast.Description>
            )}
          </div>
          <Toast.Close aria-label={closeLabel} className="rounded p-1 opacity-70 hover:opacity-100">
            <X aria-hidden className="size-4" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        label={label}
        className="fixed right-0 bottom-0 z-[100] flex w-full max-w-[420px] flex-col p-4 print:hidden"
      />
    </Toast.Provider>
  );
}
