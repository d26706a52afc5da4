/** Requests to the command API in a browser's place. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode, integer, record, text } from '../../domain/kernel/codec';
import type { CallerSigner } from '../http/caller-signer';
import { identityHeader, signCaller } from '../http/identity';
import { parseJson } from '../http/json';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/route';
import type { Asking, Token } from './session-asking';
import type { Upstream } from './upstream';

export interface CommandsOptions {
  readonly commands: Upstream;
  readonly signer: CallerSigner;
  /** Where the gateway is, as browsers know it. */
  readonly publicUrl: string;
}

export interface CommandsRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly identity?: Identity;
}

export interface CommandsAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly bytes: Uint8Array;
}

const limitMilliseconds = 10_000;
const away = () => left(problem('service-unavailable', 'The command API does not answer; try again.'));

/** Left: it does not answer, or says that it cannot right now. */
export const requestCommands = async (
  { commands, signer, publicUrl }: CommandsOptions,
  { requestId, address }: Asking,
  { method, path, body, identity, ...rest }: CommandsRequest,
): Promise<Either<Problem, CommandsAnswer>> => {
  const { protocol, host } = new URL(publicUrl);
  const caller = signCaller({ identity, requestId }, { signer, line: { method, target: path }, now: Date.now() });
  const headers = {
    ...rest.headers,
    ...{ [identityHeader]: caller, 'x-request-id': requestId, 'x-forwarded-for': address },
    ...{ 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host },
  };
  try {
    const signal = AbortSignal.timeout(limitMilliseconds);
    const content = body === undefined ? {} : { body };
    const answer = await commands.pool.request({ method, path, headers, ...content, signal });
    const bytes = await answer.body.bytes();
    const { location } = answer.headers;
    if (answer.statusCode >= 500) return away();
    return right({ status: answer.statusCode, location: typeof location === 'string' ? location : undefined, bytes });
  } catch {
    return away();
  }
};

export interface JsonAnswer {
  readonly status: number;
  readonly content: unknown;
}

/** Left also where the answer is no JSON: something else than the command API answered. */
export const requestJson = async (
  options: CommandsOptions,
  asking: Asking,
  request: CommandsRequest,
): Promise<Either<Problem, JsonAnswer>> => {
  const answer = await requestCommands(options, asking, request);
  if (isLeft(answer)) return answer;
  const content = parseJson(answer.right.bytes);
  return isLeft(content) ? away() : right({ status: answer.right.status, content: content.right });
};

const Issued = record('Issued', { access_token: text('AccessToken', { maxLength: 8_192 }), expires_in: integer(0) });

export type TokenAnswer =
  | { readonly kind: 'issued'; readonly token: Token }
  | { readonly kind: 'refused'; readonly content: unknown };

/** RFC 6749, section 5. */
export const requestToken = async (
  options: CommandsOptions,
  asking: Asking,
  form: Readonly<Record<string, string>>,
): Promise<Either<Problem, TokenAnswer>> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const answer = await requestJson(options, asking, { method: 'POST', path: '/oauth/token', headers, body });
  if (isLeft(answer)) return answer;
  const { status, content } = answer.right;
  const issued = decode(Issued, content);
  if (status !== 200 || isLeft(issued)) return right({ kind: 'refused', content });
  const token = { accessToken: issued.right.access_token, expiresInSeconds: issued.right.expires_in };
  return right({ kind: 'issued', token });
};
