import { clsx } from 'clsx';
import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import type { Organization } from '#domain/organizations/contract.ts';
import { logoTypes } from '#domain/organizations/logo.ts';
import { useLogo } from '#web/organizations/use-logo.ts';
import { t } from '#web/platform/texts.ts';
import type { Upload } from '#web/platform/use-picture.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

interface LogoFieldProps {
  organization: Organization;
  readOnly: boolean;
}

/**
 * The logo, with the buttons to choose one or an area to drop it on. Saved immediately, apart from
 * the form.
 */
export function LogoField({ organization, readOnly }: LogoFieldProps) {
  const { upload, problem, isBusy, send, remove } = useLogo(organization.id);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [asksRemoval, setAsksRemoval] = useState(false);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (!readOnly) send(event.dataTransfer.files[0]);
  };
  return (
    <section
      aria-labelledby={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(!readOnly);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={clsx(
        'flex flex-wrap items-center gap-x-5 gap-y-3 rounded-md border border-dashed p-4',
        isOver && 'border-brand-ink bg-muted',
      )}
    >
      <LogoPicture url={upload?.previewUrl ?? organization.logoUrl} />
      <div className="grid min-w-52 flex-1 gap-1">
        <h3 id={id} className="text-sm font-medium">
          {t('settings.logo.title')}
        </h3>
        {upload ? <Progress upload={upload} /> : <Hint problem={problem} />}
      </div>
      {!readOnly && (
        <div className="flex gap-2">
          <input
            ref={input}
            type="file"
            accept={logoTypes.join(',')}
            aria-label={t('settings.logo.choose')}
            hidden
            onChange={({ target }) => {
              send(target.files?.[0]);
              // Choosing the same file again must fire the event, too.
              target.value = '';
            }}
          />
          <Button look="outline" disabled={isBusy} onClick={() => input.current?.click()}>
            <ImageUp aria-hidden className="size-4" />
            {t('settings.logo.upload')}
          </Button>
          {organization.logoUrl && (
            <Button look="ghost" disabled={isBusy} onClick={() => setAsksRemoval(true)}>
              <Trash2 aria-hidden className="size-4" />
              {t('settings.logo.remove')}
            </Button>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asksRemoval}
        onOpenChange={setAsksRemoval}
        title={t('settings.logo.removeTitle')}
        text={t('settings.logo.removeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('settings.logo.remove')}
        onConfirm={() => {
          setAsksRemoval(false);
          remove();
        }}
      />
    </section>
  );
}

/** On white, as it will be shown. */
function LogoPicture({ url }: { url: string | null }) {
  return (
    <span className="grid h-16 w-24 shrink-0 place-items-center overflow-hidden rounded-md border bg-white">
      {url ? (
        <img
          src={url}
          alt={t('settings.logo.alt')}
          className="max-h-14 max-w-20 rounded-sm object-contain"
        />
      ) : (
        <ImageUp aria-hidden className="size-5 text-[#5a6473]" />
      )}
    </span>
  );
}

function Hint({ problem }: { problem: string | null }) {
  return problem ? (
    <p role="alert" className="text-sm text-destructive">
      {problem}
    </p>
  ) : (
    <p className="text-sm text-muted-foreground">{t('settings.logo.hint')}</p>
  );
}

function Progress({ upload: { share } }: { upload: Upload }) {
  const percent = Math.round(share * 100);
  return (
    <>
      <progress
        max={100}
        value={percent}
        aria-label={t('settings.logo.progress')}
        className="h-1.5 w-full max-w-72 overflow-hidden rounded-full accent-brand-edge"
      />
      <p role="status" className="text-sm text-muted-foreground">
        {percent < 100 ? t('settings.logo.sending', { percent }) : t('settings.logo.drawing')}
      </p>
    </>
  );
}
