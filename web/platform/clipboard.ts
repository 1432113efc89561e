/**
 * Copies a text that is still loading. Safari allows copying only directly after a click, so it
 * gets the promise. Resolves with false if the browser does not allow this page to copy, as on an
 * insecure address; rejects if the text could not be loaded.
 */
export async function copyText(coming: Promise<string>): Promise<boolean> {
  try {
    if (typeof ClipboardItem === 'function' && navigator.clipboard?.write)
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': coming })]);
    else await navigator.clipboard.writeText(await coming);
    return true;
  } catch {
    await coming;
    return false;
  }
}
