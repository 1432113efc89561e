/**
 * Where a spreadsheet may see the beginning of a cell that is a formula: at the start, after a line break, and after
 * the signs that separate cells where it is not the comma, as in German. Spreadsheets ignore spaces before the sign;
 * those for Chinese, Japanese, and Korean read the full-width signs alike.
 */
const beforeFormula = /(?<=^|[;\t\r\n|])(?=\s*[=+\-@＝＋－＠]|\t|\r)/g;

/**
 * Returns one cell of CSV (RFC 4180), quoted if necessary. Apostrophes disable what a spreadsheet would run as a
 * formula: guests choose their own names, and colleagues open the file.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(beforeFormula, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
