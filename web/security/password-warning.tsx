import '#web/platform/security-texts.ts';
import { useEffect, useState } from 'react';
import { t } from '#web/platform/texts.ts';

const shortest = 6;
/** Loaded when a new password is typed: the list weighs more than the page around it. */
const loadList = () =>
  import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
let list: ReturnType<typeof loadList> | null = null;

/** Warns of a password that many people have. It is taken all the same (spec section 5). */
export function PasswordWarning({ password }: { password: string }) {
  const [common, setCommon] = useState<string | null>(null);
  useEffect(() => {
    if (password.length < shortest) return;
    let stale = false;
    list ??= loadList();
    list.then(
      (all) => {
        if (!stale) setCommon(all.has(password.toLowerCase()) ? password : null);
      },
      // Without the list nothing is warned of; the next password asks for it anew.
      () => {
        list = null;
      },
    );
    return () => {
      stale = true;
    };
  }, [password]);
  return (
    <p role="status" className="-mt-2 text-sm text-muted-foreground empty:hidden">
      {common !== null && common === password ? t('security.commonPassword') : ''}
    </p>
  );
}
