import type { CallId } from '#domain/ids.ts';
import type { FoundCall, FoundPage, Hit, SearchQuery } from '#domain/search/contract.ts';
import { type Term, termsOf, tsqueryOf } from '#domain/search/query.ts';
import type { Mark } from '#domain/search/words.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { correctWords } from './correct-words.ts';
import { excerptOf } from './excerpt.ts';
import { findHits, type HitRow } from './find-hits.ts';
import { marksOfAll } from './marks.ts';

/**
 * Returns a page of calls in which something matches. If nothing does, words that no text has are corrected, unless
 * the query forbids it.
 * @throws DomainError 429
 */
export function searchAllCalls(tenant: Tenant, query: SearchQuery): Promise<FoundPage> {
  return tenant.sharedRead(['search_calls', query], async (at) => {
    const terms = termsOf(query.q);
    if (terms.length === 0) return { calls: [], corrected: null, next: null };
    const page = await pageOf(at, terms, query);
    const isFirst = query.before === undefined;
    if (page.calls.length > 0 || page.next || !isFirst || query.exact) {
      return { ...page, corrected: null };
    }
    const corrected = await correctWords(at, terms);
    if (!corrected) return { ...page, corrected: null };
    const found = await pageOf(at, corrected.terms, query);
    if (found.calls.length === 0 && !found.next) return { ...page, corrected: null };
    const { words } = corrected;
    return { ...found, corrected: { q: textOf(corrected.terms), words } };
  });
}

const textOf = (terms: readonly Term[]) =>
  terms.map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text)).join(' ');

async function pageOf(at: TenantConnection, terms: readonly Term[], query: SearchQuery) {
  const words = tsqueryOf(terms, query.speaker ?? '');
  const { rows, next } = await findHits(at, words, query);
  const marks = await marksOfAll(
    at.tenant.orgId,
    rows.map(({ text }) => text),
    terms.map(({ text }) => text),
  );
  const calls = new Map<CallId, FoundCall>();
  for (const [n, row] of rows.entries()) {
    if (row.call_id === null) continue;
    const call = calls.get(row.call_id) ?? callOf(row.call_id, row);
    call.hits.push(hitOf(row, marks[n] ?? []));
    call.hasMore = row.in_call > call.hits.length;
    calls.set(row.call_id, call);
  }
  return { calls: [...calls.values()], next };
}

function callOf(id: CallId, row: HitRow): FoundCall {
  return {
    id,
    startedAt: row.started_at.toISOString(),
    durationSec: row.duration_sec,
    room: { id: row.room_id, topic: row.topic },
    agent: row.agent_id ? { id: row.agent_id, name: row.agent_name ?? '' } : null,
    ...(row.is_sample ? { sample: true } : {}),
    hits: [],
    hasMore: false,
  };
}

/** As in `search_texts`: without a time. */
const noTime = 2_147_483_647;

function hitOf({ kind, speaker, at_ms, text }: HitRow, marks: readonly Mark[]): Hit {
  return {
    kind,
    speaker,
    startMs: at_ms === noTime ? null : at_ms,
    ...excerptOf(text, marks),
  };
}
