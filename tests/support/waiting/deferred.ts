/** A promise that the test settles. */
export const deferred = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((yes) => {
    resolve = yes;
  });
  return { promise, resolve };
};
