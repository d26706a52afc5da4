/** From one to the other, in the order of the list; the second alone where the first is no longer visible. */
export const rangeOf = (visible: readonly string[], from: string | undefined, to: string): readonly string[] => {
  const ends = [visible.indexOf(from ?? ''), visible.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return visible.slice(Math.min(...ends), Math.max(...ends) + 1);
};
