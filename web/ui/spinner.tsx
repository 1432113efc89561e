import { LoaderCircle } from 'lucide-react';

/** A spinner with `label` for screen readers. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-muted-foreground">
      <LoaderCircle aria-hidden className="size-6 animate-spin" />
      <span className="sr-only">{label}</span>
    </div>
  );
}
