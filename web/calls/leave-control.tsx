import { ChevronDown, LogOut, PhoneOff } from 'lucide-react';
import type { Participant } from '#domain/calls/participant.ts';
import { othersInMeeting, type Roster } from '#web/live/roster.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, type MenuItem } from '#web/ui/menu.tsx';

export type OthersInCall = 'none' | 'staff' | 'guests';

interface LeaveControlProps {
  /** Who else is in the call, if this person may end it for them. */
  others: OthersInCall;
  /** Shows a symbol in place of the text, where there is little room. */
  small?: boolean;
  onLeave: (forEveryone: boolean) => void;
}

/** Leaves the call. The last of the staff is asked first whether it ends for the guests, too. */
export function LeaveControl({ others, small = false, onLeave }: LeaveControlProps) {
  const face = small
    ? ({ size: 'icon', 'aria-label': t('call.leave'), title: t('call.leave') } as const)
    : ({ size: 'small' } as const);
  const label = small ? <PhoneOff aria-hidden className="size-4" /> : t('call.leave');
  const end: MenuItem = {
    title: t('call.endForEveryone'),
    text: t('call.endForEveryoneText'),
    icon: PhoneOff,
    onSelect: () => onLeave(true),
  };
  if (others === 'guests') {
    const leave: MenuItem = {
      title: t('call.leaveAlone'),
      text: t('call.leaveAloneText'),
      icon: LogOut,
      onSelect: () => onLeave(false),
    };
    const trigger = (
      <Button look="destructive" {...face}>
        {label}
        {!small && <ChevronDown aria-hidden className="size-4" />}
      </Button>
    );
    return <Menu trigger={trigger} items={[leave, end]} />;
  }
  const button = (
    <Button look="destructive" {...face} onClick={() => onLeave(false)}>
      {label}
    </Button>
  );
  if (others === 'none' || small) return button;
  const trigger = (
    <Button look="destructive" size="small" aria-label={t('call.leaveMore')} className="px-1.5">
      <ChevronDown aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="flex gap-px *:first:rounded-r-none *:last:rounded-l-none">
      {button}
      <Menu trigger={trigger} items={[end]} />
    </div>
  );
}

/**
 * Staff count from the opening of the call's page, guests once they are in the meeting; also while
 * they reconnect, so that the control stays as it is while somebody's network falters.
 */
export function othersInCall(roster: Roster): OthersInCall {
  const isColleague = ({ id, kind }: Participant) => kind === 'staff' && id !== roster.self;
  if (roster.participants.some(isColleague)) return 'staff';
  return othersInMeeting(roster).length > 0 ? 'guests' : 'none';
}
