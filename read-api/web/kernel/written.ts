/** Read your writes: for a while after something was changed from here, nothing is shown that is older than the change. */

const patienceMilliseconds = 5_000;
const pauseMilliseconds = 200;

let position = 0n;
let until = 0;

/** The platform's pages look at the log itself, or at views that may take their time. */
const isOfViews = (path: string): boolean => path.startsWith('/v1/') && !path.startsWith('/v1/platform/');

const isWaiting = (path: string): boolean => isOfViews(path) && performance.now() < until;

export const wrote = (at: string | null): void => {
  if (at === null || !/^\d{1,20}$/.test(at)) return;
  const written = BigInt(at);
  if (written > position) position = written;
  until = performance.now() + patienceMilliseconds;
};

export const seeing = (path: string): Readonly<Record<string, string>> =>
  isWaiting(path) ? { 'Min-Position': String(position) } : {};

/** False: enough was waited; what there is will do, or the reader is told. */
export const pauseBeforeVisible = async (path: string): Promise<boolean> => {
  if (!isWaiting(path)) return false;
  await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  return true;
};
