/** A reason to stop that is the person's to mend: said in one line, without a stack. */
export class OperatorError extends Error {}
