import type { Call } from '#domain/calls/contract.ts';
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
];

/** The calls as a file for a spreadsheet (RFC 4180), a line each below the titles. */
export function callsCsv(calls: readonly Call[]): string {
  const rows = [
    columns.map(({ title }) => title),
    ...calls.map((call) => columns.map(({ cell }) => cell(call))),
  ];
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Spreadsheets look past blanks before the sign, and tabs can end the cell. */
const startsAsFormula = /^\s*[=+\-@\t\r]/;

/**
 * One cell, quoted where it must be. A text that a spreadsheet would run as a formula is made plain
 * by an apostrophe: guests choose their own names, and colleagues open the file.
 */
export function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const plain = startsAsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
