import { type CallDetails, mostAttendances } from '#domain/calls/contract.ts';
import { initialsOfName } from '#web/auth/person.ts';
import { peopleInCall } from '#web/calls/people-in-call.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime, formatTime } from '#web/platform/time-ago.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';

/** The participants of a call, with their times. */
export function CallPeople({ call }: { call: CallDetails }) {
  const people = peopleInCall(call.attendances);
  if (people.length === 0)
    return <p className="text-sm text-muted-foreground">{t('calls.details.nobody')}</p>;
  const list = (
    <ul className="grid gap-3">
      {people.map(({ id, name, avatar, kind, stays }) => (
        <li key={id} className="flex items-start gap-3 text-sm">
          <Avatar name={name} initials={initialsOfName(name)} imageUrl={avatar} />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              {kind === 'guest' && <Badge look="outline">{t('calls.details.guest')}</Badge>}
            </p>
            {stays.map((stay) => (
              <p key={stay.id} className="text-xs text-muted-foreground tabular-nums">
                <Stay {...stay} />
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
  if (call.attendances.length < mostAttendances) return list;
  return (
    <>
      {list}
      <p className="mt-3 text-xs text-muted-foreground">{t('calls.details.firstPeople')}</p>
    </>
  );
}

/** Shows the date once if both times are on the same day. */
function Stay({ joinedAt, leftAt }: { joinedAt: string; leftAt: string | null }) {
  const from = formatDateTime(joinedAt);
  if (leftAt === null) return t('calls.details.stayOpen', { from });
  const isSameDay = new Date(joinedAt).toDateString() === new Date(leftAt).toDateString();
  return t('calls.details.stay', {
    from,
    to: isSameDay ? formatTime(leftAt) : formatDateTime(leftAt),
  });
}
