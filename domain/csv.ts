/**
 * Signs that begin a formula, also in their full-width forms, which spreadsheets for Chinese, Japanese, and Korean
 * read alike. Spreadsheets ignore spaces before the sign, and a tab can end the cell.
 */
const startsAsFormula = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * Returns one cell of CSV (RFC 4180), quoted if necessary. An apostrophe disables a text that a spreadsheet would
 * run as a formula: guests choose their own names, and colleagues open the file.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = startsAsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
