/** Opens a request's body as a stream, where its route declares one, within the route's media types and size. */
import type { IncomingMessage } from 'node:http';
import { type Either, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../problem';
import type { ByteBody, RequestBytes } from '../routing/route';
import { type BodyFault, openRequestStream, type RequestStream } from './request-stream';

export interface OpenedBytes extends Pick<RequestStream, 'awaitsClient' | 'fail'> {
  readonly bytes: RequestBytes;
  /** Undefined while the body has not failed. */
  readonly fault: () => BodyFault | undefined;
}

const tooLarge = (maxBytes: number): Problem =>
  problem('body-too-large', `The body may hold at most ${maxBytes} bytes.`);

/** Undefined: the client is gone, so there is no answer. */
export const problemOfFault = (fault: BodyFault, { maxBytes }: ByteBody): Problem | undefined => {
  switch (fault) {
    case 'body-too-large':
      return tooLarge(maxBytes);
    case 'trailers':
      return problem('malformed-body', 'Trailers are not accepted.');
    case 'client-idle':
      return problem('request-timeout', 'The body stopped arriving.');
    case 'client-gone':
      return undefined;
  }
};

/** `video/*` and `*∕*` take every subtype. */
const isAccepted = (mediaTypes: readonly string[], type: string): boolean =>
  mediaTypes.some((accepted) =>
    accepted.endsWith('/*') ? accepted === '*/*' || type.startsWith(accepted.slice(0, -1)) : accepted === type,
  );

const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const unsupported = (request: IncomingMessage, { mediaTypes, codings = [] }: ByteBody): Problem | undefined => {
  if (!isAccepted(mediaTypes, mediaTypeOf(request)))
    return problem('unsupported-media-type', `Send the body as ${mediaTypes.join(', ')}.`);
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || codings.includes(coding)) return undefined;
  const known = ['identity', ...codings].join(', ');
  return problem('unsupported-media-type', `Content codings of the body: ${known}.`);
};

const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

export const openRequestBytes = (request: IncomingMessage, declared: ByteBody): Either<Problem, OpenedBytes> => {
  const { maxBytes } = declared;
  const length = lengthOf(request);
  if (length !== undefined && length > maxBytes) return left(tooLarge(maxBytes));
  const refused = length === 0 ? undefined : unsupported(request, declared);
  if (refused !== undefined) return left(refused);
  let fault: BodyFault | undefined;
  const failed = (why: BodyFault): void => {
    fault = why;
  };
  const { stream, awaitsClient, fail } = openRequestStream(request, { maxBytes, failed });
  return right({ bytes: { stream, length }, fault: () => fault, awaitsClient, fail });
};
