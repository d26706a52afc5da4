/** Headers of a delivered object: its type, how long others may keep it, and the keys that it is purged by. */
import { extname } from 'node:path/posix';
import { manifestNames } from '../../../domain/video/keys';
import type { DeliveredObject } from '../../server/video/delivery-address';
import { surrogateKeysOf } from './surrogate-keys';

const types: Readonly<Record<string, string>> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.mpd': 'application/dash+xml',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.png': 'image/png',
};

export const contentTypeOf = ({ name }: DeliveredObject): string => types[extname(name)] ?? 'application/octet-stream';

const immutable = 'public, max-age=31536000, immutable';
const mainManifests: readonly string[] = Object.values(manifestNames);

const cacheControlOf = ({ folder, name }: DeliveredObject): string => {
  if (folder !== 'manifests') return immutable;
  return mainManifests.some((main) => name.endsWith(`/${main}`)) ? 'public, max-age=3600' : 'public, max-age=5';
};

/** Read by players of all origins, without cookies, and by no page as one of its own. */
export const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Cache-Status, Content-Length, Content-Range, ETag, Retry-After',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
} as const;

export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'If-None-Match, If-Range, Range',
  'Access-Control-Max-Age': '86400',
} as const;

/** `status` as RFC 9211 writes what a cache did. */
export const objectHeaders = (object: DeliveredObject, status: string): Record<string, string> => ({
  'Cache-Control': cacheControlOf(object),
  'Cache-Status': `septet-edge; ${status}`,
  'Surrogate-Key': surrogateKeysOf(object).join(' '),
});
