/**
 * A fault test may have two sizes. `npm test` runs the short one, which finds the fault when it is planted; `npm run test:faults` runs the
 * long one of every file that calls this, and all of `tests/faults`.
 */
export const sized = <Size>({ short, long }: { readonly short: Size; readonly long: Size }): Size =>
  process.env.TEST_SIZE === 'long' ? long : short;
