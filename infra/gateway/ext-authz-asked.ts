/** What a proxy asks about: its path behind the prefix is the request's own, and its own headers say what that needs. */
import type { IncomingMessage } from 'node:http';
import { type Either, left, right } from 'fp-ts/Either';
import { type Asked, certificateInHeader } from '../../packages/resource-server/src/verification/index';
import { type Problem, problem } from '../http/problem';

export interface AskedOptions {
  readonly prefix: string;
  /** Which services may be asked for; the first is meant when none is named. */
  readonly audiences: readonly string[];
}

/** What comes twice was added to by somebody: a scope more only narrows, of all else it is not known which counts. */
const onlyOne = (request: IncomingMessage, name: string): string | undefined => {
  const [value, ...more] = request.headersDistinct[name] ?? [];
  return more.length === 0 ? value : '';
};

const scopesOf = ({ headersDistinct }: IncomingMessage): readonly string[] =>
  (headersDistinct['x-septet-required-scopes'] ?? []).flatMap((value) => value.split(/[\s,]+/)).filter(Boolean);

/** What is written in quotes is the certificate's own word: subjects have commas, and may have anything. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

/** Envoy's own header has the SHA-256 as hex, of one certificate where it was told to set it. */
const hashIn = (header: string | undefined): string | undefined => {
  const said = header?.replaceAll(quoted, '');
  if (said === undefined || /[",]/.test(said)) return undefined;
  const [hash, ...more] = said.split(';').filter((part) => /^Hash=/i.test(part));
  const [, hex] = /^Hash=([0-9a-f]{64})$/i.exec(hash ?? '') ?? [];
  return hex === undefined || more.length > 0 ? undefined : Buffer.from(hex, 'hex').toString('base64url');
};

const thumbprintOf = (request: IncomingMessage): string | undefined =>
  certificateInHeader(onlyOne(request, 'client-cert'))?.thumbprint ??
  hashIn(onlyOne(request, 'x-forwarded-client-cert'));

const urlOf = (request: IncomingMessage, prefix: string): string => {
  const protocol = onlyOne(request, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  const path = (request.url ?? '').slice(prefix.length);
  return `${protocol}://${request.headers.host ?? ''}${path.startsWith('/') ? path : `/${path}`}`;
};

export const askedOf = (request: IncomingMessage, { prefix, audiences }: AskedOptions): Either<Problem, Asked> => {
  const audience = onlyOne(request, 'x-septet-required-audience') ?? audiences[0];
  if (audience === undefined || !audiences.includes(audience))
    return left(problem('forbidden', 'The proxy asks for an audience that it may not ask for.'));
  const credentials = {
    authorization: request.headers.authorization,
    proof: onlyOne(request, 'dpop'),
    certificate: thumbprintOf(request),
    method: request.method ?? '',
    url: urlOf(request, prefix),
  };
  // Whatever it says: one that a client adds only narrows.
  const sensitive = request.headers['x-septet-sensitive'] !== undefined;
  return right({ credentials, required: scopesOf(request), audience, sensitive });
};
