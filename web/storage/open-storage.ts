/**
 * Returns the browser's storage, or a substitute without memory: if the person has blocked all site
 * data, even accessing localStorage throws, and a call must not fail for that.
 */
export function openStorage(open: () => Storage): Storage {
  try {
    return open();
  } catch {
    return forgetful;
  }
}

const forgetful: Storage = {
  length: 0,
  clear: () => {},
  getItem: () => null,
  key: () => null,
  removeItem: () => {},
  setItem: () => {},
};
