/** An error that the operator can fix. It is printed in one line, without a stack. */
export class OperatorError extends Error {}
