import '#web/platform/security-texts.ts';
import { useEffect, useState } from 'react';
import { t } from '#web/platform/texts.ts';

const shortest = 6;
/** Loaded when a new password is typed: the list is larger than the page. */
const loadList = () =>
  import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
let list: ReturnType<typeof loadList> | null = null;

/** Warns about a common password, which is accepted nevertheless (spec section 5). */
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
      // Without the list there is no warning; the next password loads it again.
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
