/** `@septet/client`: the public API. */

export {
  type Agent,
  type AgentOptions,
  type AgentRequest,
  ApprovalRefusedError,
  openAgent,
  type PerformOptions,
} from './agent';
export type { AuthorizedFetch } from './authorization/authorized-fetch';
export { type ClientCredentials, clientCredentials } from './authorization/client-credentials';
export { type Dpop, openDpop, type ProofKey, type ProofRequest } from './authorization/dpop';
export type {
  BodyOf,
  Client,
  ClientMembers,
  CodeOf,
  InputOf,
  ItemOf,
  Method,
  NotModified,
  Pages,
  ProblemOf,
  Query,
} from './client';
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
export type { ApiResponse } from './http/call';
export type {
  AuthorizationRequest,
  CallOptions,
  ClientOptions,
  CommandOptions,
  ConditionalOptions,
  QueryOptions,
  TokenProvider,
  TokenRequest,
} from './options';
export type { Page } from './pagination';
export type { WebSocketConstructor, WebSocketLike } from './platform';
export type { FollowOptions, FollowState, StreamEvent, StreamSubscription } from './streams/follow-stream';
