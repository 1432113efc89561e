import { Download } from 'lucide-react';
import { exportConsents } from '#domain/consent/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import { useMay } from '#web/auth/use-may.ts';
import { BrowserRecognition } from '#web/consent/browser-recognition.tsx';
import { ModeField } from '#web/consent/mode-field.tsx';
import {
  useCapturableKinds,
  useChangeOrganizationCapture,
  useChangeRoomCapture,
  useHasSpeechService,
  useOrganizationCapture,
  useRoomCapture,
} from '#web/consent/queries.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What is captured in rooms without a setting of their own. */
export function OrganizationCaptureCard() {
  const { data, error, refetch } = useOrganizationCapture();
  const { mutate, isPending } = useChangeOrganizationCapture();
  const kinds = useCapturableKinds();
  const mayChange = useMay('organization.update');
  const mayExport = useMay('privacy.manage');
  const hasService = useHasSpeechService();
  return (
    <Card>
      <CardHeader title={t('capture.title')} />
      {error && !data ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-4 p-5">
          <p className="text-sm text-muted-foreground">{t('capture.organizationText')}</p>
          {data ? (
            kinds.map((kind) => (
              <ModeField
                key={kind}
                kind={kind}
                value={data[kind]}
                disabled={!mayChange || isPending}
                onChange={(mode) => mode && mutate({ [kind]: mode })}
              />
            ))
          ) : (
            <Skeleton className="h-16" />
          )}
          {data && hasService === false && (
            <BrowserRecognition isOn={data.browserRecognition} disabled={!mayChange} />
          )}
          {mayExport && (
            <a
              className={`${buttonClass({ look: 'outline', size: 'small' })} w-fit`}
              href={exportConsents.path}
              download
            >
              <Download aria-hidden className="size-4" />
              {t('capture.export')}
            </a>
          )}
        </div>
      )}
    </Card>
  );
}

/** What is captured in one room. */
export function RoomCaptureCard({ id }: { id: RoomId }) {
  const { data, error, refetch } = useRoomCapture(id);
  const { mutate, isPending } = useChangeRoomCapture(id);
  const kinds = useCapturableKinds();
  return (
    <Card className="min-w-0">
      <CardHeader title={t('capture.title')} />
      {error && !data ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-3 p-5">
          {data ? (
            kinds.map((kind) => (
              <ModeField
                key={kind}
                kind={kind}
                value={data.own[kind]}
                followed={data.organization[kind]}
                disabled={isPending}
                onChange={(mode) => mutate({ [kind]: mode })}
              />
            ))
          ) : (
            <Skeleton className="h-16" />
          )}
          <p className="text-sm text-muted-foreground">{t('capture.roomText')}</p>
        </div>
      )}
    </Card>
  );
}
