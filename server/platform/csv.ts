import { csvCell } from '#domain/csv.ts';

/** Returns a line of CSV (RFC 4180), in which no cell is a formula. */
export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';
