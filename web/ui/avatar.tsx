import { clsx } from 'clsx';

interface AvatarProps {
  initials: string;
  imageUrl?: string | null;
  className?: string;
}

/** A person's picture or initials. The name is said beside it or by the one who places it. */
export function Avatar({ initials, imageUrl, className }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-muted text-xs font-semibold text-foreground',
        className,
      )}
    >
      {imageUrl ? <img src={imageUrl} alt="" className="size-full object-cover" /> : initials}
    </span>
  );
}
