/** Saves a text as a file. It starts with a byte order mark, by which Excel recognizes UTF-8. */
export function downloadFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
