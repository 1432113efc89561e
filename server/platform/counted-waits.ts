/** Counts a wait until it calls what it is given, or has failed. */
export async function counted<T>(
  waits: { count: number },
  wait: (ended: () => void) => Promise<T>,
): Promise<T> {
  waits.count += 1;
  let isWaiting = true;
  const ended = () => {
    if (isWaiting) waits.count -= 1;
    isWaiting = false;
  };
  try {
    return await wait(ended);
  } finally {
    ended();
  }
}
