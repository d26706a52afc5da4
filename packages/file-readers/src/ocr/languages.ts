/** Which of the configured languages can be read here. */
import type { OcrConfiguration } from './configuration';
import { programMissing, type RecognitionEnd, unavailable } from './recognition';
import { installedLanguages } from './tesseract';

export type Languages =
  | { readonly kind: 'usable'; readonly languages: readonly string[]; readonly notices: readonly string[] }
  | Extract<RecognitionEnd, { kind: 'unavailable' }>;

export const usableLanguages = async ({ languages }: OcrConfiguration): Promise<Languages> => {
  const installed = await installedLanguages();
  if (installed === null) return programMissing('tesseract');
  const lacking = languages.filter((language) => !installed.includes(language));
  const usable = languages.filter((language) => installed.includes(language));
  if (usable.length === 0)
    return unavailable(
      `tesseract-ocr-${languages[0] ?? ''}`,
      `Text in pictures is not recognised, for tesseract lacks the data of: ${languages.join(', ')}.`,
    );
  return {
    kind: 'usable',
    languages: usable,
    notices: lacking.map(
      (language) => `Text in pictures was read without the language ${language}, which is not installed.`,
    ),
  };
};
