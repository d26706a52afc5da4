/** The client's types: a method for every generated operation. */

import type { ProblemError } from './errors';
import type { GatewayCode, Operations } from './generated/types';
import type { ApiResponse } from './http/call';
import type { Operation } from './operation';
import type { CallOptions, CommandOptions, ConditionalOptions, QueryOptions } from './options';
import type { Page } from './pagination';
import type { FollowOptions, StreamSubscription } from './streams/follow-stream';

/** The resource still has the ETag. */
export interface NotModified extends Omit<ApiResponse<undefined>, 'status'> {
  readonly status: 304;
}

/** The input is optional if all its fields are. */
type Arguments<Input, Options> =
  Record<never, never> extends Input ? [input?: Input, options?: Options] : [input: Input, options?: Options];

export interface Query<Input, Body> {
  (input: Input, options: ConditionalOptions): Promise<ApiResponse<Body> | NotModified>;
  (...args: Arguments<Input, QueryOptions & { readonly ifNoneMatch?: undefined }>): Promise<ApiResponse<Body>>;
}

export interface Pages<Input, Body> {
  /** One page. */
  (...args: Arguments<Input, QueryOptions>): Promise<ApiResponse<Body>>;
  /** That page and all later ones, each fetched when the reader comes to it. */
  readonly pages: (...args: Arguments<Input, QueryOptions>) => AsyncIterable<ApiResponse<Body>>;
  readonly items: (...args: Arguments<Input, QueryOptions>) => AsyncIterable<ItemOf<Body>>;
  /** The input of the page after `body`, for fetching pages one by one; undefined after the last. */
  readonly next: (input: Input, body: Body) => Input | undefined;
}

export type ItemOf<Body> = Body extends Page<infer Item> ? Item : never;

/** How one operation is called. */
export type Method<Named> =
  Named extends Operation<'command', infer Input, infer Body, string>
    ? (...args: Arguments<Input, CommandOptions>) => Promise<ApiResponse<Body>>
    : Named extends Operation<'write', infer Input, infer Body, string>
      ? (...args: Arguments<Input, CallOptions>) => Promise<ApiResponse<Body>>
      : Named extends Operation<'query', infer Input, infer Body, string>
        ? Query<Input, Body>
        : Named extends Operation<'page', infer Input, infer Body, string>
          ? Pages<Input, Body>
          : Named extends Operation<'stream', infer Input, infer Item, string>
            ? (...args: Arguments<Input, FollowOptions>) => StreamSubscription<Item>
            : never;

/** Members besides the operations. */
export interface ClientMembers {
  /** The highest position of this client's commands; its queries wait for it. */
  readonly position: () => string | undefined;
  /** Takes over another client's position, so that queries of this client see the other's commands. */
  readonly observePosition: (position: string) => void;
  /** Ends every stream: pending reads reject with an `AbortError`. */
  readonly close: () => void;
}

export type Client = { readonly [Name in keyof Operations]: Method<Operations[Name]> } & ClientMembers;

/** All problem codes of an operation. */
export type CodeOf<Name extends keyof Operations> = Operations[Name]['code'] | GatewayCode;
export type ProblemOf<Name extends keyof Operations> = ProblemError<CodeOf<Name>>;
export type InputOf<Name extends keyof Operations> = Operations[Name]['input'];
/** Of streams, the data of one event. */
export type BodyOf<Name extends keyof Operations> = Operations[Name]['body'];
