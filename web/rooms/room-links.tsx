import '#web/platform/links-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { listLinks } from '#domain/links/contract.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { ShareButton } from '#web/links/share-button.tsx';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { CopyGuestLinkButton } from '#web/rooms/copy-guest-link-button.tsx';
import { RenewLinkButton } from '#web/rooms/renew-link-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

const shown = 5;

/** The room's guest link, and its newest named links that work. */
export function RoomLinks({ room, onManage }: { room: Room; onManage: () => void }) {
  const { data = [] } = useQuery({
    ...reading(listLinks, { params: { id: room.id }, query: { limit: 20 } }),
    staleTime: 0,
  });
  const links = data.filter(({ state }) => state === 'valid').slice(0, shown);
  return (
    <Card className="min-w-0">
      <CardHeader title={t('rooms.page.links')} />
      <div className="grid gap-4 p-5">
        <div className="-ml-1 flex flex-wrap items-center gap-1.5">
          <CopyGuestLinkButton roomId={room.id} />
          <ShareButton room={room} />
          <RenewLinkButton room={room} />
        </div>
        {links.length > 0 && (
          <ul className="grid gap-2 text-sm">
            {links.map(({ id, name, useCount }) => (
              <li key={id} className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 truncate" title={name}>
                  {name}
                </span>
                <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
                  {t('rooms.page.linkUses', { count: useCount })}
                </span>
              </li>
            ))}
          </ul>
        )}
        <Button look="outline" size="small" onClick={onManage}>
          <KeyRound aria-hidden className="size-4" />
          {t('links.access.menu')}
        </Button>
      </div>
    </Card>
  );
}
