/** What the generated files say of an operation: a row to act by, and types that only the compiler looks at. */
import type { Shape } from './shape';

/**
 * `command`: named by an Idempotency-Key, safe to send again. `query`, `page`: reads, one answer or many by cursor.
 * `stream`: events as they are recorded. `write`: any other; sent again only when it surely was not done.
 */
export type Kind = 'command' | 'query' | 'page' | 'stream' | 'write';

export interface Row {
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
  /** Request headers that it understands. */
  readonly headers?: readonly string[];
  /** Nobody is asked who calls. */
  readonly public?: true;
  /** By status; `nothing`: no body. */
  readonly answers: { readonly [status: number]: Shape | 'nothing' };
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
