/**
 * The browser's storage, or one that forgets: merely touching localStorage throws where the person
 * blocked all site data, and a call must not fail for that.
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
