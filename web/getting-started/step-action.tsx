import { Link } from 'react-router';
import type { FirstStep } from '#domain/getting-started/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { templatesParam } from '#web/playbooks/templates-at-address.tsx';
import { CopyGuestLinkButton } from '#web/rooms/copy-guest-link-button.tsx';
import { createRoomParam } from '#web/rooms/create-room-dialog.tsx';
import { callPath } from '#web/rooms/paths.ts';
import { useRooms } from '#web/rooms/queries.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

interface StepActionProps {
  step: FirstStep;
  isDone: boolean;
  /** The first open step, whose button stands out. */
  isNext: boolean;
}

/** The way to take a step. A step that is done has none, except those that people repeat. */
export function StepAction({ step, isDone, isNext }: StepActionProps) {
  const look = isNext ? 'primary' : 'outline';
  const templates = useAddressDialog(templatesParam);
  const creating = useAddressDialog(createRoomParam);
  const mayInvite = useMay('team.manage');
  const room = useRooms().data?.find(({ status, sample }) => status === 'active' && !sample);
  const small = buttonClass({ look, size: 'small' });
  if (step === 'devices')
    return (
      <Link
        to="/app/devices"
        className={buttonClass({ look: isDone ? 'ghost' : look, size: 'small' })}
      >
        {t(isDone ? 'start.steps.devices.again' : 'start.steps.devices.action')}
      </Link>
    );
  if (isDone) return null;
  switch (step) {
    case 'playbook':
      return (
        <>
          <Link to="/app/playbooks?new" className={buttonClass({ look: 'ghost', size: 'small' })}>
            {t('start.steps.playbook.write')}
          </Link>
          <Button look={look} size="small" onClick={() => templates.open()}>
            {t('start.steps.playbook.action')}
          </Button>
        </>
      );
    case 'room':
      return (
        <Button look={look} size="small" onClick={() => creating.open()}>
          {t('rooms.create')}
        </Button>
      );
    case 'link':
      return room ? <CopyGuestLinkButton roomId={room.id} /> : <NeedsRoom />;
    case 'call':
      return room ? (
        <Link to={callPath(room.id)} className={small}>
          {t('start.steps.call.action')}
        </Link>
      ) : (
        <NeedsRoom />
      );
    case 'team':
      return mayInvite ? (
        <Link to="/app/settings/team?invite" className={small}>
          {t('start.steps.team.action')}
        </Link>
      ) : (
        <p className="text-sm text-muted-foreground">{t('start.steps.team.byAdmin')}</p>
      );
  }
}

const NeedsRoom = () => <p className="text-sm text-muted-foreground">{t('start.needsRoom')}</p>;
