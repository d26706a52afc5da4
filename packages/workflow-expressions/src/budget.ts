/** Bounds on what expressions do: tenants write them, and they are evaluated in processes that all tenants share. */

export const limits = {
  /** Of one text that an expression makes. */
  textLength: 1_048_576,
  /** Of all texts of one budget. */
  totalLength: 4_194_304,
  /** About one for each character, value and key that is looked at: below half a second. */
  operations: 16_777_216,
  /** GitHub's bound on one expression. */
  expressionLength: 21_000,
  /** Nested nodes of an expression's tree. Far from the end of the stack, where V8 may end the whole process. */
  treeDepth: 500,
  /** GitHub's bound on JSON that becomes a value. */
  valueDepth: 100,
} as const;

/** What is evaluated together spends from one budget. Both functions throw when it is used up, and from then on. */
export interface Budget {
  readonly spend: (operations: number) => void;
  /** Counts a text that an expression has made. */
  readonly countText: (length: number) => void;
}

/** `mostOperations`: fewer where many budgets are spent one after another without a pause. */
export const openBudget = (mostOperations: number = limits.operations): Budget => {
  let operations = 0;
  let characters = 0;
  return {
    spend: (count) => {
      operations += count;
      if (operations > mostOperations)
        throw new Error(`The expressions take more than ${mostOperations} operations together`);
    },
    countText: (length) => {
      characters += length;
      if (characters > limits.totalLength)
        throw new Error(`The texts of the expressions would be longer than ${limits.totalLength} characters together`);
    },
  };
};

/** Called with the length of a text before it is made: nested calls of `format` double it each time. */
export const checkLength = (length: number): void => {
  if (length > limits.textLength) throw new Error(`The text would be longer than ${limits.textLength} characters`);
};
