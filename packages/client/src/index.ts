/** `@septet/client`: the public API. */

export type {
  BodyOf,
  Client,
  CodeOf,
  InputOf,
  ItemOf,
  Method,
  Own,
  Pages,
  ProblemOf,
  Query,
  Unchanged,
} from './client';
export { type ClientCredentials, clientCredentials } from './client-credentials';
export { connect, isRefusalOf } from './connect';
export {
  type ClientError,
  type ErrorContext,
  type InputFault,
  isClientError,
  isProblem,
  NetworkError,
  ProblemError,
  StreamEndedError,
  TimeoutError,
  UnexpectedAnswerError,
  type UnexpectedReason,
} from './errors';
export type * from './generated/types';
export type { Answered } from './http/call';
export type {
  AuthorizeAsk,
  CallOptions,
  ClientOptions,
  CommandOptions,
  ConditionalOptions,
  QueryOptions,
  TokenAsk,
  TokenProvider,
} from './options';
export type { Page } from './pagination';
export type { WebSocketConstructor, WebSocketLike } from './platform';
export type { Following, FollowOptions, FollowState, StreamEvent } from './streams/follow-stream';
