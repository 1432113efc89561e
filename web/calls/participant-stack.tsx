import { clsx } from 'clsx';
import type { Call } from '#domain/calls/contract.ts';
import { initialsOfName } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';
import { Avatar } from '#web/ui/avatar.tsx';

const mostAvatars = 3;

export function ParticipantStack({ people }: { people: Call['participantsJson'] }) {
  if (people.length === 0)
    return <span className="text-muted-foreground">{t('common.missing')}</span>;
  const names = people.map(({ name }) => name).join(', ');
  const more = people.length - mostAvatars;
  // A name can appear twice in a call, so only the position is a unique key.
  const placed = people.slice(0, mostAvatars).map((person, place) => ({ ...person, place }));
  return (
    <div className="flex items-center" title={names}>
      <span className="sr-only">{names}</span>
      {placed.map(({ name, avatar, place }) => (
        <Avatar
          key={place}
          name={name}
          initials={initialsOfName(name)}
          imageUrl={avatar}
          className={clsx('size-7 text-xs ring-2 ring-card', place > 0 && '-ml-1.5')}
        />
      ))}
      {more > 0 && (
        <span aria-hidden className="ml-1.5 text-xs text-muted-foreground">
          {t('calls.more', { count: more })}
        </span>
      )}
    </div>
  );
}
