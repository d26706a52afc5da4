/** Which texts the model reads in one run: texts of about the same length, so that little is padding. */

export interface EncodedText {
  /** Of the text in its message. */
  readonly index: number;
  readonly ids: readonly number[];
}

/** Short texts gain half of their time in a run of this size (decision 0088); longer ones only gain memory. */
const mostTokensOfRun = 384;
/** Of the longest text, in a run. */
const mostPadding = 0.15;

export const groupIntoRuns = (texts: readonly EncodedText[]): readonly (readonly EncodedText[])[] => {
  const runs: EncodedText[][] = [];
  for (const text of texts.toSorted((a, b) => b.ids.length - a.ids.length)) {
    const run = runs.at(-1);
    const longest = run?.[0]?.ids.length ?? 0;
    const fits = run !== undefined && (run.length + 1) * longest <= mostTokensOfRun;
    if (fits && text.ids.length >= longest * (1 - mostPadding)) run.push(text);
    else runs.push([text]);
  }
  return runs;
};
