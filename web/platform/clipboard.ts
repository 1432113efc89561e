/**
 * Copies a text that is still on its way. Safari only lets a page copy right after a click, so it is
 * given the promise. False where the browser does not let this page copy, as on an insecure address;
 * rejects when the text itself could not be had.
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
