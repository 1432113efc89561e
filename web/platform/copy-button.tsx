import { Copy } from 'lucide-react';
import { copyText } from '#web/platform/clipboard.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface CopyButtonProps {
  label: string;
  /** The toast after copying. */
  done: string;
  text: () => string;
  onCopied?: () => void;
}

export function CopyButton({ label, done, text, onCopied }: CopyButtonProps) {
  const copy = async () => {
    const isCopied = await copyText(Promise.resolve(text()));
    if (isCopied) onCopied?.();
    toast(isCopied ? { title: done } : { title: t('common.uncopied'), tone: 'destructive' });
  };
  return (
    <Button look="outline" size="small" className="print:hidden" onClick={() => void copy()}>
      <Copy aria-hidden className="size-4 max-sm:hidden" />
      {label}
    </Button>
  );
}
