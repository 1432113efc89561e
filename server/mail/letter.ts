/** What a mail says: a greeting, a sentence, one button, and what to do if it was not asked for. */
export interface Letter {
  subject: string;
  heading: string;
  text: string;
  button: { label: string; url: string };
  footer: string;
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The mail's two bodies. Whatever people typed is inert in the HTML. */
export function writeLetter({ heading, text, button, footer }: Letter) {
  const bodyText = `${heading}\n\n${text}\n\n${button.label}: ${button.url}\n\n${footer}\n`;
  const bodyHtml = `<!doctype html>
<html lang="en"><body style="margin:0;padding:32px 16px;background:#f7f8fa;font-family:sans-serif;color:#12161f">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #dfe3ea;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(heading)}</h1>
<p style="margin:0 0 24px;line-height:1.5">${escapeHtml(text)}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;background:#2563eb;color:#fff;text-decoration:none;border-radius:8px">${escapeHtml(button.label)}</a></p>
<p style="margin:0;font-size:13px;color:#5a6473;line-height:1.5">${escapeHtml(footer)}</p>
</div></body></html>`;
  return { bodyText, bodyHtml };
}
