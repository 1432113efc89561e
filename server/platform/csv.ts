/**
 * Returns a line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a leading
 * apostrophe, which makes it text.
 */
export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(value: string): string {
  const text = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';
