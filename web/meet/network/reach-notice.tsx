import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Warns in advance that this server's calls do not reach other networks. */
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
