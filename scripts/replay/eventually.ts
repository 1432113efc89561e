/** The attack could not be carried out. */
export class NotReplayed extends Error {}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Checks the condition repeatedly, for so many seconds. */
export async function eventually(isSo: () => boolean | Promise<boolean>, seconds: number) {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (await isSo()) return true;
    await wait(200);
  }
  return isSo();
}
