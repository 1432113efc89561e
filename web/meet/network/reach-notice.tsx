import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Said before anyone tries: on this server a call finds no path to another network. */
export function ReachNotice({ meeting }: { meeting: Meeting }) {
  const { reach } = useStore(meeting);
  if (reach !== 'thisNetwork') return null;
  return (
    <div className="notices" role="note">
      <div className="notice">
        <Icon name="alert" />
        <p>{text(meeting.choices.needsName ? 'reach.guest' : 'reach.staff')}</p>
      </div>
    </div>
  );
}
