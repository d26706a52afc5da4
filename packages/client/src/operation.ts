/** How the generated files describe an operation: a row at run time, and types for the compiler only. */
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
  /** Pages only: the query parameter that takes the cursor, and the field of the response that has it. */
  readonly next?: { readonly parameter: string; readonly field: string };
  /** Accepts `Min-Position`. */
  readonly waits?: true;
  /** Needs no token. */
  readonly public?: true;
  /** By status; `nothing`: no body. */
  readonly answers: { readonly [status: number]: Shape<Reference> | 'nothing' };
  /** Its name on the WebSocket. */
  readonly stream?: string;
}

/** The input of operations that have none. */
export type Nothing = { readonly [name: string]: never };

/** A type only: no value of it exists. For streams, `Body` is one item. */
export interface Operation<K extends Kind, Input, Body, Code extends string> {
  readonly kind: K;
  readonly input: Input;
  readonly body: Body;
  readonly code: Code;
}

export type AnyOperation<K extends Kind = Kind> = Operation<K, unknown, unknown, string>;

/** An operation with its input. */
export interface OperationRequest<Named extends AnyOperation> {
  readonly row: Row;
  readonly input: Named['input'];
  /** Never set: it carries the types of the operation. */
  readonly types?: Named;
}

/** The input is optional if all its fields are. */
type InputArguments<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export interface Endpoint<Named extends AnyOperation> {
  (...input: InputArguments<Named['input']>): OperationRequest<Named>;
  readonly row: Row;
}

export const endpoint = <Named extends AnyOperation>(row: Row): Endpoint<Named> =>
  Object.assign((input: Named['input'] = {}) => ({ row, input }), { row });
