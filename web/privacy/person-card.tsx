import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { nameOf } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';
import { useDownloadPerson, useErasePerson } from '#web/privacy/queries.ts';
import { useMembers } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

/** Exports or deletes the data about one person. */
export function PersonCard() {
  const self = useUser();
  const [kind, setKind] = useState<'member' | 'guest'>('member');
  const [userId, setUserId] = useState('');
  const [guest, setGuest] = useState('');
  const [asking, setAsking] = useState(false);
  const download = useDownloadPerson();
  const erase = useErasePerson();
  const members = useMembers().rows?.flat() ?? [];
  const chosen = members.find(({ id }) => id === userId);
  const name = kind === 'guest' ? guest.trim() : chosen ? nameOf(chosen) : '';
  const forget = () => {
    setUserId('');
    setGuest('');
  };
  return (
    <Card>
      <CardHeader title={t('privacy.person.title')} />
      <div className="grid gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('privacy.person.text')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('privacy.person.who')}>
            {(input) => (
              <Select
                {...input}
                value={kind}
                onChange={({ target }) => setKind(target.value === 'guest' ? 'guest' : 'member')}
              >
                <option value="member">{t('privacy.person.member')}</option>
                <option value="guest">{t('privacy.person.guest')}</option>
              </Select>
            )}
          </Field>
          {kind === 'member' ? (
            <Field label={t('privacy.person.member')}>
              {(input) => (
                <Select
                  {...input}
                  value={userId}
                  onChange={({ target }) => setUserId(target.value)}
                >
                  <option value="">{t('privacy.person.choose')}</option>
                  {members.map((member) => (
                    <option key={member.id} value={member.id}>
                      {nameOf(member)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          ) : (
            <Field label={t('privacy.person.guestName')}>
              {(input) => (
                <input
                  {...input}
                  value={guest}
                  maxLength={254}
                  autoComplete="off"
                  onChange={({ target }) => setGuest(target.value)}
                  className={inputClass}
                />
              )}
            </Field>
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            look="outline"
            disabled={name === '' || download.isPending}
            onClick={() => download.mutate(kind === 'guest' ? { guest: name } : { userId })}
          >
            <Download aria-hidden className="size-4" />
            {t('privacy.person.download')}
          </Button>
          <Button
            look="outline"
            // The profile page deletes one's own account, since it asks for the password.
            disabled={name === '' || chosen?.id === self.id || erase.isPending}
            onClick={() => setAsking(true)}
          >
            <Trash2 aria-hidden className="size-4" />
            {t('privacy.person.erase')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('privacy.person.eraseTitle', { name })}
        text={t('privacy.person.eraseText')}
        cancelLabel={t('privacy.person.cancel')}
        confirmLabel={t('privacy.person.confirm')}
        pending={erase.isPending}
        onConfirm={() =>
          erase.mutate(kind === 'guest' || !chosen ? { guest: name } : { userId: chosen.id }, {
            onSuccess: forget,
            onSettled: () => setAsking(false),
          })
        }
      />
    </Card>
  );
}
