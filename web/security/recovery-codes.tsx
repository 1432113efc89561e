import '#web/platform/security-texts.ts';
import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/** The recovery codes, shown once, to copy or download. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <section aria-label={t('security.recovery.title')} className="grid gap-4">
      <div className="grid gap-1">
        <h3 className="text-sm font-medium">{t('security.recovery.title')}</h3>
        <p className="text-sm text-muted-foreground">{t('security.recovery.text')}</p>
      </div>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md bg-muted p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button look="outline" size="small" onClick={() => void copy()}>
          {copied ? (
            <Check aria-hidden className="size-4" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )}
          {copied ? t('security.recovery.copied') : t('security.recovery.copy')}
        </Button>
        <Button look="outline" size="small" onClick={() => download(text)}>
          <Download aria-hidden className="size-4" />
          {t('security.recovery.download')}
        </Button>
        <Button size="small" className="ml-auto" onClick={onDone}>
          {t('security.recovery.done')}
        </Button>
      </div>
    </section>
  );
}

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = t('security.recovery.file');
  link.click();
  URL.revokeObjectURL(link.href);
}
