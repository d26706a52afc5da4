/** Undefined where it fails, in whatever way: nobody who could do anything about it waits for it. */
export const caught = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work();
  } catch {
    return undefined;
  }
};
