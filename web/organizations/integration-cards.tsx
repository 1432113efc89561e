import { Blocks, Cloud, type LucideIcon, Zap } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

const integrations = [
  { id: 'zapier', icon: Zap },
  { id: 'hubspot', icon: Blocks },
  { id: 'salesforce', icon: Cloud },
] as const satisfies { id: string; icon: LucideIcon }[];
type Integration = (typeof integrations)[number]['id'];

export function IntegrationCards() {
  const [asked, setAsked] = useState<Integration | null>(null);
  return (
    <Card>
      <CardHeader title={t('settings.integrations.title')} />
      <ul className="divide-y">
        {integrations.map(({ id, icon: Icon }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
            <span className="grid size-9 place-items-center rounded-lg bg-muted text-muted-foreground">
              <Icon aria-hidden className="size-4.5" />
            </span>
            <div className="min-w-48 flex-1">
              <h3 className="text-sm font-medium">{t(`settings.integrations.${id}`)}</h3>
              <p className="text-sm text-muted-foreground">
                {t(`settings.integrations.${id}Text`)}
              </p>
            </div>
            <Badge look="outline">{t('settings.integrations.notConnected')}</Badge>
            <Button
              look="outline"
              size="small"
              aria-label={t('settings.integrations.connectTo', {
                name: t(`settings.integrations.${id}`),
              })}
              onClick={() => setAsked(id)}
            >
              {t('settings.integrations.connect')}
            </Button>
          </li>
        ))}
      </ul>
      {asked && (
        <ConnectDialog name={t(`settings.integrations.${asked}`)} onClose={() => setAsked(null)} />
      )}
    </Card>
  );
}

/** Says that the integration does not exist yet. */
function ConnectDialog({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('settings.integrations.dialog.title', { name })}
      description={t('settings.integrations.dialog.text', { name })}
      closeLabel={t('common.close')}
    >
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
