/** Fails below lines that only its source has. */

interface Failing {
  readonly why: string;
}

const failing: Failing = { why: 'as it is told to' };

throw new Error(failing.why);
