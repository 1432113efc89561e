import { useState } from 'react';
import { type MadeScimToken, overlaps, type ScimToken } from '#domain/scim/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useAdoptToken, useRevokeToken, useRotateToken } from '#web/scim/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface TokenProps {
  token: ScimToken;
  /** Receives the token that replaced this one. */
  onMade: (made: MadeScimToken) => void;
}

export function TokenControls({ token, onMade }: TokenProps) {
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const adopt = useAdoptToken();
  const revoke = useRevokeToken();
  const close = () => setAsked(null);
  const { name } = token;
  return (
    <div className="flex items-center justify-end gap-1">
      {token.orphanOf && !token.isReplaced && (
        <Button
          look="outline"
          size="small"
          aria-label={t('scim.adopt.of', { name })}
          disabled={adopt.isPending}
          onClick={() => adopt.mutate(token)}
        >
          {t('scim.adopt.open')}
        </Button>
      )}
      {!token.isReplaced && (
        <Button
          look="ghost"
          size="small"
          aria-label={t('scim.rotate.of', { name })}
          onClick={() => setAsked('rotate')}
        >
          {t('scim.rotate.open')}
        </Button>
      )}
      <Button
        look="ghost"
        size="small"
        aria-label={t('scim.revoke.of', { name })}
        onClick={() => setAsked('revoke')}
      >
        {t('scim.revoke.open')}
      </Button>
      {asked === 'rotate' && <RotateDialog token={token} onMade={onMade} onClose={close} />}
      <ConfirmDialog
        open={asked === 'revoke'}
        onOpenChange={(open) => open || close()}
        title={t('scim.revoke.title', { name })}
        text={t('scim.revoke.text')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('scim.revoke.open')}
        pending={revoke.isPending}
        onConfirm={() => revoke.mutate(token, { onSettled: close })}
      />
    </div>
  );
}

function RotateDialog({ token, onMade, onClose }: TokenProps & { onClose: () => void }) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>(24);
  const rotate = useRotateToken(token);
  const submit = () =>
    rotate.mutate(
      { overlapHours: overlap },
      {
        onSuccess: (made) => {
          onClose();
          onMade(made);
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('scim.rotate.title', { name: token.name })}
      description={t('scim.rotate.text')}
      closeLabel={t('common.close')}
    >
      <Field label={t('scim.rotate.overlap')}>
        {(input) => (
          <Select
            {...input}
            value={overlap}
            onChange={({ target }) =>
              setOverlap(overlaps.find((hours) => String(hours) === target.value) ?? 24)
            }
          >
            {overlaps.map((hours) => (
              <option key={hours} value={hours}>
                {t(`scim.rotate.overlaps.${hours}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button disabled={rotate.isPending} onClick={submit}>
          {t('scim.rotate.submit')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
