import '#web/platform/links-texts.ts';
import { Download, Printer } from 'lucide-react';
import type { RoomId } from '#domain/ids.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useRecordStep } from '#web/getting-started/queries.ts';
import { invitationText } from '#web/links/invitation.ts';
import { qrFileName, qrPngFile, qrSvgFile, saveFile } from '#web/links/qr-files.ts';
import { useGuestAccess, useMainLink } from '#web/links/queries.ts';
import { useOrganization } from '#web/organizations/queries.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface ShareDialogProps {
  room: { id: RoomId; topic: string };
  url?: string;
  open: boolean;
  onClose: () => void;
}

export default function ShareDialog({ room, url, open, onClose }: ShareDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('links.share.title')}
      description={t('links.share.text')}
      closeLabel={t('common.close')}
    >
      {url ? <Share room={room} url={url} /> : <ShareMainLink room={room} />}
    </Dialog>
  );
}

function ShareMainLink({ room }: Pick<ShareDialogProps, 'room'>) {
  const { data, error, refetch } = useMainLink(room.id);
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  return data ? <Share room={room} url={data.url} /> : <Skeleton className="h-96" />;
}

function Share({ room, url }: { room: ShareDialogProps['room']; url: string }) {
  const { topic } = room;
  const { mutate: recordCopy } = useRecordStep('link_copied');
  const { orgId } = useUser();
  const title = useOrganization(orgId)?.name ?? '';
  const access = useGuestAccess(room.id);
  const file = { url, title, subtitle: topic };
  const failed = (error: unknown) => toastFailure(error, t('links.share.pngFailed'));
  const savePng = () =>
    qrPngFile(file).then((png) => saveFile(png, qrFileName(topic, 'png')), failed);
  return (
    <div className="grid gap-5">
      <figure className="qr-sheet grid justify-items-center gap-1 rounded-xl border bg-white p-3 pb-4 text-center text-black">
        <QrCode text={url} label={t('links.share.code', { topic })} className="w-full max-w-56" />
        <figcaption className="grid min-w-0 gap-0.5">
          <strong className="text-sm font-semibold wrap-anywhere">{title}</strong>
          <span className="text-sm wrap-anywhere text-neutral-700">{topic}</span>
        </figcaption>
      </figure>
      <div className="flex flex-wrap justify-center gap-2">
        <Button
          look="outline"
          size="small"
          onClick={() =>
            saveFile(
              new Blob([qrSvgFile(file)], { type: 'image/svg+xml' }),
              qrFileName(topic, 'svg'),
            )
          }
        >
          <Download aria-hidden className="size-4" />
          {t('links.share.svg')}
        </Button>
        <Button look="outline" size="small" onClick={() => void savePng()}>
          <Download aria-hidden className="size-4" />
          {t('links.share.png')}
        </Button>
        <Button look="outline" size="small" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {t('links.share.print')}
        </Button>
      </div>
      <Field label={t('links.share.link')}>
        {(input) => (
          <input
            {...input}
            readOnly
            value={url}
            onFocus={(event) => event.target.select()}
            className={inputClass}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <CopyButton
          label={t('links.share.copyInvitation')}
          done={t('links.share.invitationCopied')}
          text={() =>
            invitationText({ topic, url, openingHours: access.data?.openingHours ?? null })
          }
          onCopied={() => recordCopy()}
        />
        <CopyButton
          label={t('links.share.copyLink')}
          done={t('links.share.linkCopied')}
          text={() => url}
          onCopied={() => recordCopy()}
        />
      </div>
    </div>
  );
}
