/** Waits for something no longer than that; undefined: it is not there yet. */
export const withinMilliseconds = async <A>(work: Promise<A>, milliseconds: number): Promise<A | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
