/** Languages of captions in one form, by which they are compared: sources name English `eng`, browsers and people `en`. */

/** BCP 47 as RFC 5646, section 4.5, has it. Undefined: it names no language. */
export const canonicalLanguage = (language: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
};
