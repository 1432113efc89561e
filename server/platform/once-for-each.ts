/**
 * Returns a function that makes one value for each key and keeps it as long as the key: what counts for a whole process
 * belongs to its configuration.
 */
export function onceForEach<Key extends object, Value, Given extends unknown[] = []>(
  make: (key: Key, ...given: Given) => Value,
): (key: Key, ...given: Given) => Value {
  const kept = new WeakMap<Key, { value: Value }>();
  return (key, ...given) => {
    const known = kept.get(key);
    if (known) return known.value;
    const value = make(key, ...given);
    kept.set(key, { value });
    return value;
  };
}
