/** Has the browser save a text. It starts with the mark by which Excel knows that it is UTF-8. */
export function downloadFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the address only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
