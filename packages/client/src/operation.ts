/** What the generated files say of an operation: a row to act by, and types that only the compiler looks at. */
import type { Shape } from './shape';

/**
 * `command`: named by an Idempotency-Key, safe to send again. `query`, `page`: reads, one answer or many by cursor.
 * `stream`: events as they are recorded. `write`: any other; sent again only when it surely was not done.
 */
export type Kind = 'command' | 'query' | 'page' | 'stream' | 'write';

/** `Reference`: as in shapes. */
export interface Row<Reference = () => Shape> {
  readonly operation: string;
  readonly kind: Kind;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/v1/principals/{principalId}`. */
  readonly path: string;
  /** Names in the query; the others of an input, but `body`, are in the path. */
  readonly query?: readonly string[];
  readonly body?: 'json' | 'form';
  /** Of pages: which parameter takes what an answer gives for the next one. */
  readonly next?: { readonly parameter: string; readonly field: string };
  /** It takes `Min-Position`. */
  readonly waits?: true;
  /** Nobody is asked who calls. */
  readonly public?: true;
  /** By status; `nothing`: no body. */
  readonly answers: { readonly [status: number]: Shape<Reference> | 'nothing' };
  /** Its name on the WebSocket. */
  readonly stream?: string;
}

/** The input of what is asked without one. */
export type Nothing = { readonly [name: string]: never };

/** Never made: `Input`, `Body` and `Code` are read by the compiler. For streams `Body` is one item. */
export interface Operation<K extends Kind, Input, Body, Code extends string> {
  readonly kind: K;
  readonly input: Input;
  readonly body: Body;
  readonly code: Code;
}

export type AnyOperation<K extends Kind = Kind> = Operation<K, unknown, unknown, string>;

/** An operation with its input, to be sent by what sends its kind. */
export interface OperationRequest<Named extends AnyOperation> {
  readonly row: Row;
  readonly input: Named['input'];
  /** Never there: it is what the compiler knows the answer by. */
  readonly types?: Named;
}

/** An input that may be empty may be left out. */
type InputArguments<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export interface Endpoint<Named extends AnyOperation> {
  (...input: InputArguments<Named['input']>): OperationRequest<Named>;
  readonly row: Row;
}

export const endpoint = <Named extends AnyOperation>(row: Row): Endpoint<Named> =>
  Object.assign((input: Named['input'] = {}) => ({ row, input }), { row });
