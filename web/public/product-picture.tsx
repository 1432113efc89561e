import { usePage } from '#web/public/page-context.ts';
import dark from './pictures/call-dark.avif';
import darkSmall from './pictures/call-dark-small.avif';
import light from './pictures/call-light.avif';
import lightSmall from './pictures/call-light-small.avif';

const sizes = '(min-width: 84rem) 76rem, 92vw';
const both = (small: string, large: string) => `${small} 800w, ${large} 1600w`;

/** A screenshot of the call page; scripts/take-pictures.ts creates it. */
export function ProductPicture() {
  const { texts, theme } = usePage();
  const [src, small] = theme === 'dark' ? [dark, darkSmall] : [light, lightSmall];
  return (
    <picture>
      {theme === null && (
        <source
          srcSet={both(darkSmall, dark)}
          sizes={sizes}
          type="image/avif"
          media="(prefers-color-scheme: dark)"
        />
      )}
      <img
        src={src}
        srcSet={both(small, src)}
        sizes={sizes}
        alt={texts.home.pictureAlt}
        width="1600"
        height="1000"
        fetchPriority="high"
        className="h-auto w-full rounded-2xl"
      />
    </picture>
  );
}
