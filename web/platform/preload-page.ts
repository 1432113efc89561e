type Preloaded = 'call' | 'callDetails' | 'room' | 'playbook';

let loaders: Partial<Record<Preloaded, () => Promise<unknown>>> = {};

/** Must be called once by the module that imports the pages, which features do not import. */
export function setPageLoaders(given: Record<Preloaded, () => Promise<unknown>>): void {
  loaders = given;
}

/** Loads the code of a page that is likely to be opened next. */
export function preloadPage(page: Preloaded): void {
  void loaders[page]?.();
}
