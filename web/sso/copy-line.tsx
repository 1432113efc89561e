import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';

/** A value that must be entered elsewhere, with a button that copies it. */
export function CopyLine({ label, value, copy }: { label: string; value: string; copy: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-xs text-muted-foreground">{label}</p>
        <p className="font-mono text-xs break-all">{value}</p>
      </div>
      <CopyButton label={copy} done={t('sso.domains.copied')} text={() => value} />
    </div>
  );
}
