export interface OcrConfiguration {
  /** Tesseract's codes, such as `eng`, `deu`, `chi_sim`: the most frequent first. At least one. */
  readonly languages: readonly string[];
  /** At which pages are drawn, where the limit of pixels allows it. 200 reads small print; tesseract's own advice is 300. */
  readonly dotsPerInch: number;
  /** 0 to 1. Words below are left out: they are mostly lines, folds and shadows. */
  readonly leastConfidence: number;
  /** Pages that are not begun after this time are left out, and what was recognised stays. */
  readonly seconds: number;
}

export const defaultOcr: OcrConfiguration = {
  languages: ['eng'],
  dotsPerInch: 200,
  leastConfidence: 0.4,
  seconds: 3_000,
};
