import { clsx } from 'clsx';
import { useState } from 'react';

interface AvatarProps {
  initials: string;
  imageUrl?: string | null;
  className?: string;
}

/** A person's picture or initials. The name is beside it, or added by the component that uses it. */
export function Avatar({ initials, imageUrl, className }: AvatarProps) {
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-muted text-xs font-semibold text-foreground',
        className,
      )}
    >
      {imageUrl && imageUrl !== missing ? (
        <img
          src={imageUrl}
          alt=""
          className="size-full object-cover"
          onError={() => setMissing(imageUrl)}
        />
      ) : (
        initials
      )}
    </span>
  );
}
