import { Building2 } from 'lucide-react';
import { t } from '#web/platform/texts.ts';
import { UserFooter } from '#web/shell/user-footer.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function NoOrganization() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <Card className="w-full max-w-md">
        <EmptyState
          icon={Building2}
          title={t('auth.noOrganization.title')}
          text={t('auth.noOrganization.text')}
        />
        <UserFooter />
      </Card>
    </main>
  );
}
