/** The two ways a request can fail without a defect: a rejection by the rules, or a fault of a store. */
import { type Either, left } from 'fp-ts/Either';

/** The rules refuse the request. `code` is a kebab-case fact; `detail` is a sentence for the caller. */
export interface Rejection<Code extends string = string> {
  readonly kind: 'rejection';
  readonly code: Code;
  readonly detail: string;
}

export const reject = <const Code extends string>(code: Code, detail: string): Either<Rejection<Code>, never> =>
  left({ kind: 'rejection', code, detail });

/** A store is unavailable, full or slow. Retrying later may succeed. */
export interface Fault<Code extends string = string> {
  readonly kind: 'fault';
  readonly code: Code;
  /** A sentence for the caller, in our own words. */
  readonly detail: string;
  /** The error of another program: for logs and operators, never for callers. */
  readonly cause?: string;
}

export const fault = <const Code extends string>(code: Code, detail: string, cause?: string): Fault<Code> => ({
  kind: 'fault',
  code,
  detail,
  ...(cause === undefined ? {} : { cause }),
});

/** For operators: a fault's sentence and its cause. */
export const textForOperators = ({ detail, cause }: Pick<Fault, 'detail' | 'cause'>): string =>
  cause === undefined ? detail : `${detail} Its cause: ${cause}`;
