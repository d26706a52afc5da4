/** Of one read. More is a defect of the caller. */
const maxKeys = 1_000;

export const checkKeyCount = (keys: readonly unknown[]): void => {
  if (keys.length > maxKeys) throw new Error(`at most ${maxKeys} keys are read at once`);
};
