import { Fingerprint } from 'lucide-react';
import { hasPasskeys } from '#web/passkeys/browser.ts';
import { usePasskeySignIn } from '#web/passkeys/queries.ts';
import { Button } from '#web/ui/button.tsx';

/** Signs in with a passkey that the person chooses. Renders nothing if the browser has no passkeys. */
export function PasskeySignIn({ label }: { label: string }) {
  const { mutate, isPending } = usePasskeySignIn();
  if (!hasPasskeys()) return null;
  return (
    <Button
      look="outline"
      className="w-full"
      disabled={isPending}
      onClick={() => mutate({ quietly: false })}
    >
      <Fingerprint aria-hidden className="size-4" />
      {label}
    </Button>
  );
}
