/** `@septet/client`: everything of it that others use. */
export type { Answered } from './call';
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
export { connect, isRefusalOf } from './connect';
export { type ClientCredentials, clientCredentials } from './credentials';
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
export type { Following, FollowOptions, FollowState, StreamEvent } from './follow/following';
export type * from './generated/types';
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
export type { Page } from './pages';
export type { WebSocketConstructor, WebSocketLike } from './platform';
