// Loaded before the window opens, since the window gets the style sheets that exist then.
import './float.css';

const size = { width: 400, height: 300 };

/**
 * Opens an empty window over all others with the styles of this page. It closes with the page;
 * `gone` is called when it closes.
 */
export async function openWindow(opener: DocumentPictureInPicture, gone: () => void) {
  const opened = await opener.requestWindow(size);
  const { documentElement: root, head } = opened.document;
  const { documentElement: own, title } = document;
  root.lang = own.lang;
  root.style.cssText = own.style.cssText;
  Object.assign(root.dataset, own.dataset);
  opened.document.title = title;
  for (const style of document.querySelectorAll('link[rel="stylesheet"], style'))
    head.append(style.cloneNode(true));
  const close = () => opened.close();
  addEventListener('pagehide', close, { once: true });
  opened.addEventListener(
    'pagehide',
    () => {
      removeEventListener('pagehide', close);
      gone();
    },
    { once: true },
  );
  return { window: opened, close };
}
