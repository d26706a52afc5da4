/** Faults of a refused request at the fields of its form. */
import type { Problem } from './problem';

/** What fields expect, in the words of the form: by pointer, or by the code of a problem, with the field's pointer. */
export interface FieldFault {
  readonly pointer: string;
  readonly text: string;
}

export type FaultAt = (pointer: string) => string | undefined;

/** `texts`: by pointer; the fields that show their fault, in place of what the server expects where it is not empty. */
export interface FieldTexts {
  readonly texts: { readonly [pointer: string]: string };
  /** Problems that are of one field, by code. */
  readonly codes?: { readonly [code: string]: FieldFault };
}

/** Empty where the problem is not of fields of the form alone: then the whole problem is shown. */
export const fieldFaultsOf = (
  problem: Problem | undefined,
  { texts, codes = {} }: FieldTexts,
): readonly FieldFault[] => {
  if (problem === undefined) return [];
  const byCode = codes[problem.code];
  if (byCode !== undefined) return [byCode];
  const known = problem.errors.filter(({ pointer }) => texts[pointer] !== undefined);
  if (known.length < problem.errors.length) return [];
  return known.map(({ pointer, expected }) => ({ pointer, text: texts[pointer] || `Must be ${expected}.` }));
};

export const faultIn =
  (faults: readonly FieldFault[]): FaultAt =>
  (pointer) =>
    faults.find((fault) => fault.pointer === pointer)?.text;
