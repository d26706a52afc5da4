/** Decodes a request's path, query and body by its route's codecs; all faults at once, each with where it stands. */

import type { Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decode, type InputFault } from '../../../../domain/kernel/codec';
import { invalidInput, type Problem } from '../problem';
import { parseFormUrlencoded } from './form-urlencoded';
import { readBody } from './request-body';
import type { BoundRoute } from './route';
import { unknownFields, unknownParameters } from './unknown-fields';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type Decoded = Either<readonly InputFault[], unknown>;

const decodePart = (part: string, codec: t.Decoder<unknown, unknown> | undefined, value: unknown): Decoded => {
  if (codec === undefined) return right(undefined);
  const decoded = decode(codec, value);
  return isLeft(decoded)
    ? left(decoded.left.map(({ pointer, expected }) => ({ pointer: `/${part}${pointer}`, expected })))
    : decoded;
};

type QueryRoute = Pick<BoundRoute, 'path' | 'page' | 'query'>;

const oauthPath = /^\/(?:oauth|\.well-known)\//;

/** OAuth has unknown parameters ignored (RFC 6749, section 3.1), and links to pages gain some on their way, as `utm_source`. */
const ignoresUnknownParameters = ({ path, page }: QueryRoute): boolean => page === true || oauthPath.test(path);

/** Decodes the query of a request's target. The one place that decides which parameters a request may have. */
export const readQuery = (route: QueryRoute, target: string): Decoded => {
  const at = target.indexOf('?');
  const pairs = parseFormUrlencoded(at < 0 ? '' : target.slice(at + 1));
  if (isLeft(pairs)) return left([{ pointer: '/query', expected: pairs.left }]);
  const query = decodePart('query', route.query, pairs.right);
  const unknown = ignoresUnknownParameters(route) ? [] : unknownParameters(route.query, pairs.right);
  if (unknown.length === 0) return query;
  return left([...(isLeft(query) ? query.left : []), ...unknown]);
};

/** Forms are OAuth's and people's pages: RFC 6749 (section 3.2) has unknown parameters ignored. */
export const refusesUnknown = ({ bodyType = 'json', unknownFields: rule = 'refused' }: BoundRoute): boolean =>
  bodyType === 'json' && rule === 'refused';

const unknownIn = (route: BoundRoute, value: unknown): readonly InputFault[] => {
  if (route.body === undefined || !refusesUnknown(route)) return [];
  return unknownFields(route.body, value).map(({ pointer, expected }) => ({ pointer: `/body${pointer}`, expected }));
};

export const readInput = async (route: BoundRoute, request: Request): Promise<Either<Problem, Input>> => {
  const params = decodePart('params', route.params, request.params);
  const query = readQuery(route, request.originalUrl);
  const { bodyType = 'json', tooDeep } = route;
  const content = route.body === undefined ? right(undefined) : await readBody(request, bodyType, tooDeep);
  if (isLeft(content)) return content;
  const body = decodePart('body', route.body, content.right);
  const unknown = unknownIn(route, content.right);
  const faults = [params, query, body].flatMap((part) => (isLeft(part) ? part.left : []));
  if (isLeft(params) || isLeft(query) || isLeft(body) || unknown.length > 0)
    return left(invalidInput([...faults, ...unknown]));
  return right({ params: params.right, query: query.right, body: body.right });
};
