/** Types as callers name them: as stored, or without context, without version, or by the name alone. */

const shape = /^(?:(.+)\.)?([^.]+)(\.v\d+)$/;

/** `TokenIssued`, `TokenIssued.v1`, `identity.TokenIssued` and `identity.TokenIssued.v1` are all this type. */
export const isOfType = (storedType: string, wanted: string): boolean => {
  if (storedType === wanted) return true;
  // Most events are of another type, and the pattern costs more than this.
  if (!storedType.includes(wanted)) return false;
  const [, context = '', name = '', version = ''] = shape.exec(storedType) ?? [];
  return [name, `${name}${version}`, `${context}.${name}`].includes(wanted);
};
