import '#web/platform/webhook-texts.ts';
import { useState } from 'react';
import {
  useCalendarFeed,
  useMakeCalendarFeed,
  useRemoveCalendarFeed,
} from '#web/notifications/queries.ts';
import { CopiedField } from '#web/platform/copied-field.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** The secret address of the person's calendar, shown when it is made. */
export function CalendarCard() {
  const { data } = useCalendarFeed();
  const make = useMakeCalendarFeed();
  const remove = useRemoveCalendarFeed();
  const [url, setUrl] = useState<string | null>(null);
  const [asked, setAsked] = useState<'Renew' | 'End' | null>(null);
  if (!data) return null;
  const { createdAt } = data;
  const close = () => setAsked(null);
  const begin = () =>
    make.mutate(undefined, { onSuccess: (made) => setUrl(made.url), onSettled: close });
  const end = () => remove.mutate(undefined, { onSuccess: () => setUrl(null), onSettled: close });
  return (
    <Card>
      <CardHeader title={t('notifications.calendar.title')} />
      <div className="grid grid-cols-1 gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('notifications.calendar.text')}</p>
        {url ? (
          <CopiedField
            label={t('notifications.calendar.label')}
            hint={t('notifications.calendar.once')}
            value={url}
            texts={{
              copy: t('notifications.calendar.copy'),
              copied: t('notifications.calendar.copied'),
            }}
          />
        ) : (
          <p className="text-sm">
            {createdAt
              ? t('notifications.calendar.since', { time: formatDateTime(createdAt) })
              : t('notifications.calendar.none')}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            look="outline"
            disabled={make.isPending}
            onClick={createdAt ? () => setAsked('Renew') : begin}
          >
            {t(createdAt ? 'notifications.calendar.renew' : 'notifications.calendar.make')}
          </Button>
          {createdAt && (
            <Button look="outline" className="text-destructive" onClick={() => setAsked('End')}>
              {t('notifications.calendar.end')}
            </Button>
          )}
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => open || close()}
          title={t(`notifications.calendar.confirm${asked}`)}
          text={t(`notifications.calendar.confirm${asked}Text`)}
          cancelLabel={t('common.cancel')}
          confirmLabel={t(`notifications.calendar.${asked === 'End' ? 'end' : 'renew'}`)}
          look={asked === 'End' ? 'destructive' : 'primary'}
          pending={make.isPending || remove.isPending}
          onConfirm={asked === 'End' ? end : begin}
        />
      )}
    </Card>
  );
}
