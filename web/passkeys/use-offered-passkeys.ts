import { useEffect, useRef } from 'react';
import { hasPasskeys } from '#web/passkeys/browser.ts';
import { usePasskeySignIn } from '#web/passkeys/queries.ts';

/** Offers passkeys among the suggestions of the email field, where the browser can; silent otherwise. */
export function useOfferedPasskeys(): void {
  const { mutate } = usePasskeySignIn();
  const offered = useRef(false);
  useEffect(() => {
    if (offered.current || !hasPasskeys()) return;
    offered.current = true;
    mutate({ quietly: true });
  }, [mutate]);
}
