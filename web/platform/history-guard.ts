type Guard = (event: PopStateEvent) => void;

let guard: Guard | null = null;

/**
 * Must be called before the router starts: popstate listeners run in the order in which they were
 * added, and a guard must handle Back and Forward before the router does.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', (event) => guard?.(event));
}

export function guardHistory(next: Guard | null): void {
  guard = next;
}
