import { clsx } from 'clsx';
import { type CSSProperties, useState } from 'react';
import { hueOf } from '#web/ui/tint.ts';

interface AvatarProps {
  initials: string;
  /** Gives the initials their color. */
  name: string;
  imageUrl?: string | null;
  className?: string;
}

/** A person's picture or initials. The name is beside it, or added by the component that uses it. */
export function Avatar({ initials, name, imageUrl, className }: AvatarProps) {
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      style={{ '--hue': hueOf(name) } as CSSProperties}
      className={clsx(
        'tinted grid size-8 shrink-0 place-items-center overflow-hidden rounded-full text-xs font-semibold',
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
