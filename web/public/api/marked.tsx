/** A text in which backticks mark code. */
export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <code key={at} className="rounded bg-muted px-1 py-0.5 text-[0.9em] wrap-anywhere">
        {part}
      </code>
    ),
  );
}

/** Code that scrolls sideways, also by keyboard. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a scrollable region needs a name, not a form
    <div role="group" aria-label={label} className="min-w-0">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1, it scrolls
        tabIndex={0}
        className="overflow-x-auto rounded-lg border bg-card p-4 text-[0.8125rem] leading-relaxed"
      >
        <code>{children.trimEnd()}</code>
      </pre>
    </div>
  );
}
