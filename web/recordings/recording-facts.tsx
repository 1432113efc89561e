import { Lock, LockOpen, Trash2, UserX } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { RecordedPerson, Recording } from '#domain/recordings/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { formatBytes } from '#web/privacy/format-bytes.ts';
import {
  useDeleteRecording,
  useLiftLegalHold,
  useRemoveFromRecording,
} from '#web/recordings/queries.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu, type MenuItem } from '#web/ui/menu.tsx';

const LegalHoldDialog = lazy(() => import('#web/recordings/legal-hold-dialog.tsx'));

type Asked = { kind: 'all' } | { kind: 'lift' } | { kind: 'person'; person: RecordedPerson };

/** How large a recording is, how long it stays, and what admins can do with it. */
export function RecordingFacts({ recording }: { recording: Recording }) {
  const { callId, sizeBytes, expiresAt, legalHold, people } = recording;
  const mayDelete = useMay('recordings.delete');
  const mayHold = useMay('privacy.manage');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isHolding, setHolding] = useState(false);
  const deletions: MenuItem[] = [
    ...people.map((person) => ({
      title: t('player.manage.remove', { name: person.name }),
      icon: UserX,
      disabled: legalHold !== null,
      onSelect: () => setAsked({ kind: 'person', person }),
    })),
    {
      title: t('player.manage.delete'),
      icon: Trash2,
      disabled: legalHold !== null,
      onSelect: () => setAsked({ kind: 'all' }),
    },
  ];
  const hold: MenuItem = legalHold
    ? { title: t('player.manage.lift'), icon: LockOpen, onSelect: () => setAsked({ kind: 'lift' }) }
    : { title: t('player.manage.hold'), icon: Lock, onSelect: () => setHolding(true) };
  const items = [...(mayDelete ? deletions : []), ...(mayHold ? [hold] : [])];
  return (
    <div className="flex items-center gap-3 text-xs text-muted-foreground print:hidden">
      <p className="min-w-0 flex-1 wrap-anywhere">
        {[
          formatBytes(sizeBytes),
          legalHold && t('player.manage.underHold', { reason: legalHold.reason }),
          !legalHold &&
            expiresAt &&
            t('player.manage.expires', { time: formatDateTime(expiresAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {items.length > 0 && <Menu label={t('player.manage.menu')} items={items} />}
      <Confirmation recording={recording} asked={asked} onDone={() => setAsked(null)} />
      {isHolding && (
        <Suspense>
          <LegalHoldDialog callId={callId} onClose={() => setHolding(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface ConfirmationProps {
  recording: Recording;
  asked: Asked | null;
  onDone: () => void;
}

function Confirmation({ recording: { callId }, asked, onDone }: ConfirmationProps) {
  const all = useDeleteRecording(callId);
  const one = useRemoveFromRecording(callId);
  const lift = useLiftLegalHold(callId);
  const settled = { onSettled: onDone };
  const confirm = () => {
    if (asked?.kind === 'all') all.mutate(undefined, settled);
    if (asked?.kind === 'lift') lift.mutate(undefined, settled);
    if (asked?.kind === 'person') one.mutate(asked.person.participantId, settled);
  };
  const name = asked?.kind === 'person' ? asked.person.name : '';
  const kind = asked?.kind ?? 'all';
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || onDone()}
      title={t(`player.manage.confirm.${kind}.title`, { name })}
      text={t(`player.manage.confirm.${kind}.text`, { name })}
      cancelLabel={t('common.cancel')}
      confirmLabel={t(`player.manage.confirm.${kind}.confirm`)}
      look={kind === 'lift' ? 'primary' : 'destructive'}
      pending={all.isPending || one.isPending || lift.isPending}
      onConfirm={confirm}
    />
  );
}
