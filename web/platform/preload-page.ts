type Preloaded = 'call' | 'callDetails';

let loaders: Partial<Record<Preloaded, () => Promise<unknown>>> = {};

/** To be called once by what knows the pages, which features do not import. */
export function setPageLoaders(given: Record<Preloaded, () => Promise<unknown>>): void {
  loaders = given;
}

/** Loads the code of a page that is probably opened next. */
export function preloadPage(page: Preloaded): void {
  void loaders[page]?.();
}
