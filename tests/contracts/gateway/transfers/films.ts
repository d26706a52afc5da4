/** A service of routes whose bodies and answers are bytes. Run by itself, it prints where it listens. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { right } from 'fp-ts/Either';
import { record } from '../../../../domain/kernel/codec';
import { readableByHeader } from '../../../../infra/server/http/routing/cross-origin';
import { integerParameter } from '../../../../infra/server/http/routing/integer-parameter';
import {
  type BoundRoute,
  bind,
  byteRoute,
  type RouteRequest,
  route,
} from '../../../../infra/server/http/routing/route';
import type { Span } from '../../../../infra/server/http/streaming/byte-range';
import { startHttpService } from '../../../support/http/http-service';
import { filmMaxBytes, playerOrigin } from './context';

const mebibyte = 2 ** 20;
const chunk = Buffer.alloc(65_536, 0x61);

/** The byte at each place of a film is that place's number in its chunk, so that parts show where they belong. */
const frame = Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 251));

function* film({ first, length }: Span): Generator<Buffer> {
  for (let at = first, left = length; left > 0; ) {
    const begin = at % frame.length;
    const part = frame.subarray(begin, Math.min(frame.length, begin + left));
    yield part;
    at += part.length;
    left -= part.length;
  }
}

export const filmPart = (span: Span): Buffer => Buffer.concat([...film(span)]);

function* repeated(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

const reads = { scopes: ['things:read'] };
const writes = { scopes: ['things:write'] };
const Sized = record('Sized', { size: integerParameter('Size', { maximum: 4_096 * mebibyte, fallback: mebibyte }) });
const octets = ['application/octet-stream'];
const bytes = { mediaTypes: ['*/*'], maxBytes: filmMaxBytes };

type Body = RouteRequest<unknown, unknown, { readonly stream: Readable }>;

const counted = async ({ body, identity }: Body, take: (part: Buffer) => void = () => undefined) => {
  let size = 0;
  body.stream.on('data', (part: Buffer) => {
    size += part.length;
    take(part);
  });
  await new Promise((resolve, reject) => void body.stream.once('end', resolve).once('error', reject));
  return { status: 200, body: { bytes: size, identity } };
};

const done = { 200: { description: 'The number of bytes.' } };

/** The service's own headers about other origins, and its headers for the gateway. */
const crossOriginHeaders = {
  'Access-Control-Allow-Origin': 'https://evil.example',
  'Access-Control-Allow-Credentials': 'true',
  Vary: 'Accept-Encoding',
  [readableByHeader]: playerOrigin,
};

const filmRoute = (path: string, access: BoundRoute['access']): BoundRoute =>
  bind(
    {},
    route<object>()({
      method: 'get',
      path,
      operation: `get${path.replaceAll('/', '-')}`,
      summary: 'A film.',
      access,
      query: Sized,
      answers: { 200: { description: 'A film.', bytes: ['video/mp4'], ranges: true } },
      handle: async (_deps, { query: { size } }) => ({
        contentType: 'video/mp4',
        etag: `"film-${size}"`,
        headers: crossOriginHeaders,
        size,
        openRange: async (span) => right(Readable.from(film(span), { objectMode: false })),
      }),
    }),
  );

export const filmRoutes: readonly BoundRoute[] = [
  bind(
    {},
    byteRoute<object>()({
      method: 'put',
      path: '/films/count',
      operation: 'countFilm',
      summary: 'Counts bytes.',
      access: writes,
      bytes,
      answers: done,
      handle: async (_deps, request) => counted(request),
    }),
  ),
  bind(
    {},
    byteRoute<object>()({
      method: 'put',
      path: '/films/digest',
      operation: 'digestFilm',
      summary: 'Hashes bytes, as services do that store them.',
      access: writes,
      bytes,
      answers: done,
      handle: async (_deps, request) => {
        const digest = createHash('sha256');
        return counted(request, (part) => void digest.update(part));
      },
    }),
  ),
  bind(
    {},
    byteRoute<object>()({
      method: 'post',
      path: '/films/echo',
      operation: 'echoFilm',
      summary: 'Answers with what it reads, while it reads.',
      access: writes,
      bytes,
      answers: { 200: { description: 'The same bytes.', bytes: octets } },
      handle: async (_deps, { body }) => ({
        contentType: 'application/octet-stream',
        open: async () => right(body.stream),
      }),
    }),
  ),
  bind(
    {},
    route<object>()({
      method: 'get',
      path: '/films/bytes',
      operation: 'getBytes',
      summary: 'Bytes.',
      access: reads,
      query: Sized,
      answers: { 200: { description: 'Bytes.', bytes: octets } },
      handle: async (_deps, { query: { size } }) => ({
        contentType: 'application/octet-stream',
        length: size,
        open: async () => right(Readable.from(repeated(size), { objectMode: false })),
      }),
    }),
  ),
  filmRoute('/films/film', reads),
  ...['open', 'listed', 'named', 'closed'].map((folder) => filmRoute(`/films/${folder}/film`, 'public')),
  bind(
    {},
    byteRoute<object>()({
      method: 'put',
      path: '/films/open/film',
      operation: 'replaceFilm',
      summary: 'Replaces a film.',
      access: 'public',
      bytes,
      answers: done,
      handle: async (_deps, request) => counted(request),
    }),
  ),
];

if (require.main === module)
  void startHttpService(filmRoutes).then(({ port }) => {
    process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${port}` })}\n`);
  });
