/** Sends requests of each kind of operation, and remembers the position that queries wait for. */

import { buildRequest, type Input } from './http/build-request';
import { type ApiResponse, type Call, performCall } from './http/call';
import type { Kind, Operation, OperationRequest, Row } from './operation';
import type { CommandOptions, ConditionalOptions, QueryOptions } from './options';
import { nextPageInput } from './pagination';
import type { Session } from './session';
import { type FollowOptions, followStream, type StreamSubscription } from './streams/follow-stream';
import { connectSse } from './streams/sse-connection';

type RequestOf<K extends Kind, Body> = OperationRequest<Operation<K, unknown, Body, string>>;
export type CommandRequest<Body> = RequestOf<'command' | 'write', Body>;
export type QueryRequest<Body> = RequestOf<'query' | 'page', Body>;
export type PageRequest<Body> = RequestOf<'page', Body>;
export type StreamRequest<Item> = RequestOf<'stream', Item>;

type Headers = Readonly<Record<string, string>>;

const withoutUndefined = (headers: { readonly [name: string]: string | undefined }): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Headers;

/** Commands, and other writes. */
export const execute = async <Body>(
  session: Session,
  { row, input }: CommandRequest<Body>,
  options: CommandOptions = {},
): Promise<ApiResponse<Body>> => {
  const named = row.kind === 'command';
  const idempotencyKey = named ? (options.idempotencyKey ?? session.platform.uuid()) : undefined;
  const headers = withoutUndefined({ 'idempotency-key': idempotencyKey, 'if-match': options.ifMatch });
  const call: Call = { row, input: input as Input, headers, options, repeatable: named };
  const answered = await performCall(session, idempotencyKey === undefined ? call : { ...call, idempotencyKey });
  session.positions.observe(answered.position);
  return answered as ApiResponse<Body>;
};

const minPositionOf = (session: Session, row: Row, { minPosition }: QueryOptions): string | undefined => {
  if (row.waits !== true || minPosition === 'none') return undefined;
  return minPosition ?? session.positions.highest();
};

/** Queries, and single pages. */
export const query = async <Body>(
  session: Session,
  { row, input }: QueryRequest<Body>,
  options: QueryOptions = {},
): Promise<ApiResponse<Body>> => {
  const { ifNoneMatch }: Partial<ConditionalOptions> = options;
  const headers = withoutUndefined({
    'min-position': minPositionOf(session, row, options),
    'if-min-revision': options.minRevision,
    'if-none-match': ifNoneMatch,
  });
  const call: Call = { row, input: input as Input, headers, options, repeatable: true };
  return (await performCall(session, call)) as ApiResponse<Body>;
};

/** The request of the next page; undefined after the last. */
export const nextPage = <Page extends PageRequest<unknown>>(request: Page, body: unknown): Page | undefined => {
  const input = nextPageInput(request.row, request.input as Input, body);
  return input === undefined ? undefined : { ...request, input };
};

const defaultSilenceMilliseconds = 45_000;

export interface StreamOptions extends Omit<FollowOptions, 'transport'> {
  /** Server-sent events by default. */
  readonly connectBy?: typeof connectSse;
}

export const follow = <Item>(
  session: Session,
  { row, input }: StreamRequest<Item>,
  { connectBy = connectSse, ...options }: StreamOptions = {},
): StreamSubscription<Item> => {
  const { url } = buildRequest(session.base, { ...row, query: [] }, input as Input);
  const { headers = {}, silenceMilliseconds = defaultSilenceMilliseconds } = options;
  const followed = { row, filter: input as Input, headers, silenceMilliseconds };
  return followStream({ session, operation: row.operation, url, connect: connectBy(session, followed), options });
};
