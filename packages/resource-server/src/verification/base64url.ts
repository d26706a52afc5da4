/** Base64url with one spelling for every value: no padding, no other alphabet, no stray bits in the last character. */
const longest = 65_536;

/** Undefined when it is not how these bytes are written: a token must not have twins that differ in letters only. */
export const bytesOf = (text: string): Buffer | undefined => {
  if (text.length === 0 || text.length > longest) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};
