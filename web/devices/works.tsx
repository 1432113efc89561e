import { CircleCheck } from 'lucide-react';

/** Says that something works; announced when it appears. */
export function Works({ text }: { text: string | false }) {
  return (
    <p
      role="status"
      className="flex items-center gap-2 text-sm font-medium text-success empty:hidden"
    >
      {text && (
        <>
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          {text}
        </>
      )}
    </p>
  );
}
