import '#web/platform/call-texts.ts';
import type { Call } from '#domain/calls/contract.ts';
import { csvCell } from '#domain/csv.ts';
import { t } from '#web/platform/texts.ts';

type Cell = string | number | null;

const columns: { title: string; cell: (call: Call) => Cell }[] = [
  { title: t('analytics.csv.room'), cell: ({ room }) => room.topic },
  { title: t('analytics.csv.startedAt'), cell: ({ startedAt }) => startedAt },
  { title: t('analytics.csv.endedAt'), cell: ({ endedAt }) => endedAt },
  { title: t('analytics.csv.durationSec'), cell: ({ durationSec }) => durationSec },
  {
    title: t('analytics.csv.participants'),
    cell: ({ participantsJson }) => participantsJson.map(({ name }) => name).join('; '),
  },
  { title: t('analytics.csv.npsScore'), cell: ({ npsScore }) => npsScore },
  { title: t('analytics.csv.npsFeedback'), cell: ({ npsFeedback }) => npsFeedback },
  {
    title: t('analytics.csv.status'),
    cell: ({ endedAt }) => t(endedAt ? 'calls.completed' : 'calls.inProgress'),
  },
  { title: t('analytics.csv.agent'), cell: ({ agent }) => agent?.name || null },
];

/** Returns the calls as CSV for a spreadsheet (RFC 4180), one line each below the header. */
export function callsCsv(calls: readonly Call[]): string {
  const rows = [
    columns.map(({ title }) => title),
    ...calls.map((call) => columns.map(({ cell }) => cell(call))),
  ];
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
