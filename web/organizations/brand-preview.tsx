import { applyBrand } from '#web/meet/brand.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';

/** A button and a badge in the color, with a legible text color. */
export function BrandPreview({ color }: { color: string }) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="text-sm font-medium">{t('settings.preview.title')}</p>
      <div
        // Sets the page's colors for the preview only.
        ref={(element) => {
          if (element) applyBrand(element, color);
        }}
        role="img"
        aria-label={t('settings.preview.label')}
        className="flex min-h-16 items-center gap-3 rounded-md border bg-background px-4"
      >
        <span className={buttonClass()}>{t('settings.preview.button')}</span>
        <Badge>{t('settings.preview.badge')}</Badge>
      </div>
    </div>
  );
}
