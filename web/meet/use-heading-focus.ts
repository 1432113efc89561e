import { useEffect, useRef } from 'react';

/**
 * For the heading of a page that replaces another: it takes the focus, so that a screen reader reads it. In a
 * frame it does so only if the focus is there: the page around may have opened a dialog.
 */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.parent === window || document.hasFocus()) heading.current?.focus();
  }, []);
  return heading;
}
