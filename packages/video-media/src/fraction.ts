/** Exact rational numbers, for frame rates and times: 30000/1001 has no exact number. */

export interface Fraction {
  readonly numerator: number;
  /** Greater than 0. */
  readonly denominator: number;
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? Math.abs(one) : greatestCommonDivisor(other, one % other);

/** In lowest terms. */
export const fraction = (numerator: number, denominator = 1): Fraction => {
  const divisor = greatestCommonDivisor(numerator, denominator) || 1;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
};

export const toNumber = ({ numerator, denominator }: Fraction): number => numerator / denominator;

export const isEqualFraction = (one: Fraction, other: Fraction): boolean =>
  one.numerator === other.numerator && one.denominator === other.denominator;

/** `30000/1001` or `4:3`; undefined for what is no positive ratio. */
export const parseFraction = (text: string): Fraction | undefined => {
  const found = /^(\d{1,10})[/:](\d{1,10})$/.exec(text);
  if (found === null) return undefined;
  const [numerator, denominator] = [Number(found[1]), Number(found[2])];
  return numerator > 0 && denominator > 0 ? fraction(numerator, denominator) : undefined;
};
