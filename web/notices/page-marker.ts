const marked = /^\(\d+\) /;
const icons = { plain: '/icon.svg', waiting: '/icon-waiting.svg' };

/**
 * Shows in the tab that guests wait: their number before the title, which pages change, and a dot on the icon.
 * @returns a function that removes both
 */
export function markPage(count: number): () => void {
  const show = () => {
    const title = `(${count}) ${document.title.replace(marked, '')}`;
    if (document.title !== title) document.title = title;
  };
  const observer = new MutationObserver(show);
  observer.observe(document.head, { subtree: true, childList: true, characterData: true });
  show();
  showIcon(icons.waiting);
  return () => {
    observer.disconnect();
    document.title = document.title.replace(marked, '');
    showIcon(icons.plain);
  };
}

function showIcon(href: string): void {
  const link = document.querySelector('link[rel="icon"]');
  if (link?.getAttribute('href') !== href) link?.setAttribute('href', href);
}
