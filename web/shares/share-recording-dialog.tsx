import { useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import { ShareForm } from '#web/shares/share-form.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface ShareRecordingDialogProps {
  callId: CallId;
  positionMs: number;
  durationMs: number;
  onClose: () => void;
}

/** Makes a link to the recording, and shows it once. */
export default function ShareRecordingDialog(props: ShareRecordingDialogProps) {
  const { callId, positionMs, durationMs, onClose } = props;
  const [url, setUrl] = useState<string | null>(null);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('player.sharing.title')}
      description={t(url ? 'player.sharing.madeText' : 'player.sharing.text')}
    >
      {url === null ? (
        <ShareForm
          callId={callId}
          positionMs={positionMs}
          durationMs={durationMs}
          onMade={(made) => setUrl(made.url)}
        />
      ) : (
        <div className="grid gap-3">
          <Field label={t('player.sharing.link')}>
            {(input) => (
              <input
                {...input}
                readOnly
                value={url}
                onFocus={({ target }) => target.select()}
                className={inputClass}
              />
            )}
          </Field>
          <div className="justify-self-start">
            <CopyButton
              label={t('player.sharing.copy')}
              done={t('player.sharing.copied')}
              text={() => url}
            />
          </div>
        </div>
      )}
    </FormDialog>
  );
}
