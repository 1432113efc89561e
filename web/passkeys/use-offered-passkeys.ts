import { useEffect, useRef } from 'react';
import { hasPasskeys } from '#web/passkeys/browser.ts';
import { usePasskeySignIn } from '#web/passkeys/queries.ts';

/** Offers passkeys in the autofill of the email field if the browser supports it; otherwise does nothing. */
export function useOfferedPasskeys(): void {
  const { mutate } = usePasskeySignIn();
  const offered = useRef(false);
  useEffect(() => {
    if (offered.current || !hasPasskeys()) return;
    offered.current = true;
    mutate({ quietly: true });
  }, [mutate]);
}
