/** Requests to the command API on behalf of a browser. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decodeStored, integer, record, text } from '../../../domain/kernel/codec';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import { identityHeader, signCaller } from '../../server/http/identity/identity-header';
import { type Problem, problem } from '../../server/http/problem';
import { type RefusalNote, readRefusalNote, refusalHeader } from '../../server/http/refusal-note';
import type { Identity } from '../../server/http/routing/route';
import { parseJson } from '../../server/http/untrusted-json';
import type { Upstream } from '../proxy/upstreams';

/** The browser that a request is made for. */
export interface TokenRequestContext {
  readonly requestId: string;
  /** Where the browser is, for the record of what was issued. */
  readonly address: string;
  /** What of the browser's cookies is for people's own pages. */
  readonly cookie?: string | undefined;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface CommandApiOptions {
  readonly commands: Upstream;
  readonly signer: CallerSigner;
  /** Where the gateway is, as browsers know it. */
  readonly publicUrl: string;
}

export interface CommandApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly identity?: Identity;
}

export interface CommandApiResponse {
  readonly status: number;
  readonly location: string | undefined;
  readonly bytes: Uint8Array;
  /** The note of the command API about a refusal, for operators. */
  readonly refused?: RefusalNote;
}

const maxRequestMilliseconds = 10_000;
const commandApiUnavailable = () => left(problem('service-unavailable', 'The command API does not answer; try again.'));

/** Left: the command API does not respond or is unavailable. */
export const callCommandApi = async (
  { commands, signer, publicUrl }: CommandApiOptions,
  { requestId, address }: TokenRequestContext,
  { method, path, body, identity, ...rest }: CommandApiRequest,
): Promise<Either<Problem, CommandApiResponse>> => {
  const { protocol, host } = new URL(publicUrl);
  const caller = signCaller({ identity, requestId }, { signer, line: { method, target: path }, now: Date.now() });
  const headers = {
    ...rest.headers,
    [identityHeader]: caller,
    'x-request-id': requestId,
    'x-forwarded-for': address,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
  };
  try {
    const signal = AbortSignal.timeout(maxRequestMilliseconds);
    const content = body === undefined ? {} : { body };
    const answer = await commands.pool.request({ method, path, headers, ...content, signal });
    const bytes = await answer.body.bytes();
    const { location } = answer.headers;
    if (answer.statusCode >= 500) return commandApiUnavailable();
    const refused = readRefusalNote(answer.headers[refusalHeader]);
    return right({
      status: answer.statusCode,
      location: typeof location === 'string' ? location : undefined,
      bytes,
      ...(refused === undefined ? {} : { refused }),
    });
  } catch {
    return commandApiUnavailable();
  }
};

export interface CommandApiJson {
  readonly status: number;
  readonly content: unknown;
  /** For operators. */
  readonly refused?: RefusalNote;
}

/** Left also where the answer is no JSON: something else than the command API answered. */
const callCommandApiJson = async (
  options: CommandApiOptions,
  asking: TokenRequestContext,
  request: CommandApiRequest,
): Promise<Either<Problem, CommandApiJson>> => {
  const answer = await callCommandApi(options, asking, request);
  if (isLeft(answer)) return answer;
  const content = parseJson(answer.right.bytes);
  if (isLeft(content)) return commandApiUnavailable();
  const { status, refused } = answer.right;
  return right({ status, content: content.right, ...(refused === undefined ? {} : { refused }) });
};

const Issued = record('Issued', { access_token: text('AccessToken', { maxLength: 8_192 }), expires_in: integer(0) });

export type TokenResult =
  | { readonly kind: 'issued'; readonly token: IssuedToken }
  | { readonly kind: 'refused'; readonly content: unknown; readonly refused?: RefusalNote };

/** RFC 6749, section 5. */
export const requestToken = async (
  options: CommandApiOptions,
  asking: TokenRequestContext,
  form: Readonly<Record<string, string>>,
): Promise<Either<Problem, TokenResult>> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const answer = await callCommandApiJson(options, asking, { method: 'POST', path: '/oauth/token', headers, body });
  if (isLeft(answer)) return answer;
  const { status, content, refused } = answer.right;
  const issued = decodeStored(Issued, content);
  if (status !== 200 || isLeft(issued))
    return right({ kind: 'refused', content, ...(refused === undefined ? {} : { refused }) });
  const token = { accessToken: issued.right.access_token, expiresInSeconds: issued.right.expires_in };
  return right({ kind: 'issued', token });
};
