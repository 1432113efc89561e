import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatNumber, t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

interface PagerProps {
  page: number;
  /** The number of pages; absent while it is not known. */
  pages: number | undefined;
  /** Absent if there is no such page. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The buttons between the pages of a table. Hidden if there is only one page. */
export function Pager({ page, pages, onPrevious, onNext }: PagerProps) {
  if (!onPrevious && !onNext) return null;
  return (
    <nav
      aria-label={t('analytics.pages.label')}
      className="flex items-center justify-between gap-3 border-t px-5 py-3"
    >
      <p aria-live="polite" className="text-sm text-muted-foreground tabular-nums">
        {pages === undefined
          ? t('analytics.pages.page', { page: formatNumber(page) })
          : t('analytics.pages.pageOf', { page: formatNumber(page), pages: formatNumber(pages) })}
      </p>
      <div className="flex gap-2">
        <Button look="outline" size="small" disabled={!onPrevious} onClick={onPrevious}>
          <ChevronLeft aria-hidden className="size-4" />
          {t('analytics.pages.previous')}
        </Button>
        <Button look="outline" size="small" disabled={!onNext} onClick={onNext}>
          {t('analytics.pages.next')}
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
