import { useQuery } from '@tanstack/react-query';
import { readChat } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { CallPart } from '#web/calls/call-part.tsx';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { formatTime } from '#web/platform/time-ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { LinkedText } from '#web/ui/linked-text.tsx';

/** The chat of a past call, if it has messages. */
export function CallChat({ id }: { id: CallId }) {
  // The call may still be running.
  const { data: messages = [] } = useQuery({
    ...reading(readChat, { params: { id } }),
    staleTime: 0,
  });
  if (messages.length === 0) return null;
  return (
    <CallPart title={t('calls.details.chat')}>
      <ol className="grid gap-3 text-sm">
        {messages.map(({ id, name, kind, text, sentAt }) => (
          <li key={id} className="break-inside-avoid">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              {kind === 'guest' && <Badge look="outline">{t('calls.details.guest')}</Badge>}
              <time dateTime={sentAt} className="text-xs text-muted-foreground tabular-nums">
                {formatTime(sentAt)}
              </time>
            </p>
            <p className="wrap-anywhere whitespace-pre-wrap [&_a]:underline">
              <LinkedText text={text} />
            </p>
          </li>
        ))}
      </ol>
    </CallPart>
  );
}
