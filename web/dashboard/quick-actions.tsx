import { ChartColumn, ListPlus, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#web/platform/texts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** @param onCreateRoom absent for people who only view */
export function QuickActions({ onCreateRoom }: { onCreateRoom?: (() => void) | undefined }) {
  return (
    <Card>
      <CardHeader title={t('dashboard.quickActions')} />
      <div className="grid gap-2 p-5">
        {onCreateRoom && (
          <>
            <Button onClick={onCreateRoom}>
              <Plus aria-hidden className="size-4" />
              {t('dashboard.createRoom')}
            </Button>
            <Link to="/app/playbooks" className={buttonClass({ look: 'outline' })}>
              <ListPlus aria-hidden className="size-4" />
              {t('dashboard.newPlaybook')}
            </Link>
          </>
        )}
        <Link to="/app/analytics" className={buttonClass({ look: 'outline' })}>
          <ChartColumn aria-hidden className="size-4" />
          {t('dashboard.viewReports')}
        </Link>
      </div>
    </Card>
  );
}
