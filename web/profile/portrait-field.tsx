import '#web/platform/profile-texts.ts';
import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef } from 'react';
import { portraitTypes } from '#domain/profile/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { initialsOf, nameOf } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';
import { usePortrait } from '#web/profile/use-portrait.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';

/** The person's own picture. Saved immediately, apart from the form. */
export function PortraitField() {
  const user = useUser();
  const { upload, problem, isBusy, send, remove } = usePortrait();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-wrap items-center gap-4 border-b p-5">
      <Avatar
        name={nameOf(user)}
        initials={initialsOf(user)}
        imageUrl={upload?.previewUrl ?? user.profileImageUrl}
        className="size-16! text-xl!"
      />
      <div className="grid min-w-44 flex-1 gap-1">
        <h3 id={id} className="text-sm font-medium">
          {t('profile.portrait.title')}
        </h3>
        {problem ? (
          <p role="alert" className="text-sm text-destructive">
            {problem}
          </p>
        ) : (
          <p className="text-sm text-muted-foreground">{t('profile.portrait.hint')}</p>
        )}
      </div>
      <div className="flex gap-2">
        <input
          ref={input}
          type="file"
          accept={portraitTypes.join(',')}
          aria-label={t('profile.portrait.choose')}
          hidden
          onChange={({ target }) => {
            send(target.files?.[0]);
            // Choosing the same file again must fire the event, too.
            target.value = '';
          }}
        />
        <Button
          look="outline"
          size="small"
          disabled={isBusy}
          onClick={() => input.current?.click()}
        >
          <ImageUp aria-hidden className="size-4" />
          {t(upload ? 'profile.portrait.sending' : 'profile.portrait.upload')}
        </Button>
        {user.profileImageUrl && (
          <Button
            look="ghost"
            size="icon"
            aria-label={t('profile.portrait.remove')}
            disabled={isBusy}
            onClick={remove}
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </section>
  );
}
