import '#web/platform/profile-texts.ts';
import { serverNow } from '#web/platform/clock.ts';
import '#web/platform/security-texts.ts';
import { LogOut, MonitorSmartphone } from 'lucide-react';
import { browserName } from '#domain/auth/browser-name.ts';
import type { Session } from '#domain/profile/contract.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime, timeAgo } from '#web/platform/time-ago.ts';
import { useEndOtherSessions, useEndSession, useSessions } from '#web/profile/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function SessionsCard() {
  const { data, error, refetch } = useSessions();
  const { mutate, isPending } = useEndOtherSessions();
  const hasOthers = data?.some(({ current }) => !current) ?? false;
  return (
    <Card>
      <CardHeader
        title={t('profile.sessions.title')}
        action={
          hasOthers && (
            <Button look="outline" size="small" disabled={isPending} onClick={() => mutate()}>
              {isPending ? t('profile.sessions.ending') : t('profile.sessions.endOthers')}
            </Button>
          )
        }
      />
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="m-5 h-24" />}
      {data && (
        <ul className="max-h-96 divide-y overflow-y-auto">
          {data.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function SessionLine({ session }: { session: Session }) {
  const { id, createdAt, lastSeenAt, method, twoFactors, userAgent, current } = session;
  const end = useEndSession();
  const { browser, system } = browserName(userAgent ?? '');
  const ago = (at: string) => timeAgo(at, new Date(serverNow())) ?? t('rooms.justNow');
  const device = t('profile.sessions.on', {
    browser: browser ?? t('profile.sessions.unknownBrowser'),
    system: system ?? t('profile.sessions.unknownSystem'),
  });
  const how = [
    t('profile.sessions.since', { time: ago(createdAt) }),
    ...(current ? [] : [t('security.sessions.seen', { time: ago(lastSeenAt) })]),
    t(`security.methods.${method}`),
    ...(twoFactors && method !== 'passkey' ? [t('security.sessions.twoFactors')] : []),
  ];
  return (
    <li className="flex items-center gap-3 px-5 py-3 text-sm">
      <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{device}</p>
        <p className="text-xs text-muted-foreground" title={formatDateTime(createdAt)}>
          {how.join(' · ')}
        </p>
      </div>
      {current ? (
        <Badge look="secondary">{t('profile.sessions.current')}</Badge>
      ) : (
        <Button
          look="ghost"
          size="icon"
          aria-label={t('security.sessions.end', { device })}
          disabled={end.isPending}
          onClick={() => end.mutate(id)}
        >
          <LogOut aria-hidden className="size-4" />
        </Button>
      )}
    </li>
  );
}
