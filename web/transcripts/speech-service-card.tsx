import '#web/platform/player-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { readSpeechService } from '#domain/transcripts/contract.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

interface SpeechServiceCardProps {
  /** Says what to do where no service is ready. */
  none?: string;
}

/** Which service turns speech into text, and what is sent to it. */
export function SpeechServiceCard({ none = t('transcript.service.none') }: SpeechServiceCardProps) {
  const { data } = useQuery(reading(readSpeechService, {}));
  if (!data) return null;
  const { service } = data;
  return (
    <Card>
      <CardHeader title={t('transcript.service.title')} />
      <div className="grid gap-3 p-5 text-sm">
        {service ? (
          <>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <dt className="text-muted-foreground">{t('transcript.service.model')}</dt>
              <dd className="wrap-anywhere">{service.recognizer}</dd>
              <dt className="text-muted-foreground">{t('transcript.service.host')}</dt>
              <dd className="font-mono text-xs leading-5 wrap-anywhere">
                {service.host ?? t('transcript.service.here')}
              </dd>
            </dl>
            <p className="text-muted-foreground">
              {t(service.host ? 'transcript.service.sent' : 'transcript.service.stays')}
            </p>
          </>
        ) : (
          <p className="text-muted-foreground">{none}</p>
        )}
      </div>
    </Card>
  );
}
