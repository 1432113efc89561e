import '#web/platform/search-texts.ts';
import { scoreGroups } from '#domain/calls/filter.ts';
import { FigureFilter } from '#web/calls/figure-filter.tsx';
import { FilterSelect } from '#web/calls/filter-select.tsx';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { t } from '#web/platform/texts.ts';
import { SearchBox } from '#web/search/search-box.tsx';
import { SearchResults } from '#web/search/search-results.tsx';
import { useHitKeys } from '#web/search/use-hit-keys.ts';
import { useSearchAddress } from '#web/search/use-search.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** Search over all calls: what was said, written, noted, and generated. */
export function SearchPage() {
  const address = useSearchAddress();
  const { chosen, write } = address;
  useHitKeys();
  return (
    <>
      <title>{`${chosen.q ? `${chosen.q} · ` : ''}${t('search.title')} · ${t('product')}`}</title>
      <PageHeader title={t('search.title')} subtitle={t('search.subtitle')} />
      <SearchBox
        isLarge
        label={t('search.label')}
        placeholder={t('search.placeholder')}
        value={chosen.q ?? ''}
        maxLength={200}
        onSearch={(q) => write({ q, exact: '' })}
      />
      {chosen.callId ? (
        <p className="mb-4 flex flex-wrap items-center gap-3 text-sm">
          {t('search.onlyCall')}
          <Button look="outline" size="small" onClick={() => write({ callId: '' })}>
            {t('search.allCalls')}
          </Button>
        </p>
      ) : (
        <>
          <FigureFilter />
          <MoreFilters address={address} />
        </>
      )}
      <SearchResults address={address} />
    </>
  );
}

function MoreFilters({ address }: { address: ReturnType<typeof useSearchAddress> }) {
  const { chosen, choose } = useCallFilter();
  return (
    <search
      aria-label={t('search.filters')}
      className="-mt-2 mb-5 flex flex-wrap items-center gap-2"
    >
      <SearchBox
        label={t('search.speaker')}
        placeholder={t('search.speaker')}
        value={address.chosen.speaker ?? ''}
        maxLength={80}
        onSearch={(speaker) => address.write({ speaker })}
      />
      <FilterSelect
        label={t('calls.filter.score')}
        any={t('calls.filter.any.score')}
        value={chosen.score}
        choices={scoreGroups.map((value) => ({ value, title: t(`calls.filter.scores.${value}`) }))}
        onChoose={(value) => choose('score', value)}
      />
    </search>
  );
}
