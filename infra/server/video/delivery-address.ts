/**
 * Signed addresses of what players read of one generation of a video: `/delivery/<token>/<tenant>/<video>/g<generation>/<folder>/<name>`. The token stands
 * in the path, so the relative addresses in playlists and manifests carry it by themselves, and an edge leaves it out of its cache's key. It is valid for
 * all of the generation and does not name the viewer.
 */
import { type Either, left, right } from 'fp-ts/Either';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { type DeliveredFolder, deliveredFolders, type Generation } from '../../../domain/video/keys';
import { type DeliveryKeys, isSignedText, signText } from './signed-text';

export const deliveryPath = '/delivery/';

const use = 'delivery';

const scopeOf = ({ tenant, videoId, generation }: Generation): string => `${tenant}/${videoId}/g${generation}/`;

/** Expiries are rounded up to it, so that addresses of the same hour are equal and browsers find what they have. */
const roundedSeconds = 3_600;

/** With a slash at its end: names of the delivered folders follow. `expires` in seconds since 1970; the address may be valid for up to an hour longer. */
export const signDeliveryPrefix = (keys: DeliveryKeys, generation: Generation, expires: number): string => {
  const until = Math.ceil(expires / roundedSeconds) * roundedSeconds;
  const scope = scopeOf(generation);
  const { keyId, signature } = signText(keys, use, `${until}:${scope}`);
  return `${deliveryPath}${until}.${keyId}.${signature}/${scope}`;
};

export interface DeliveredObject extends Generation {
  readonly folder: DeliveredFolder;
  /** In the folder: `<sha256>.m4s`, or `<sha256>/master.m3u8`. */
  readonly name: string;
}

/** `unknown`: no address of this kind. */
export type DeliveryRefusal = 'unknown' | 'forged' | 'expired';

const pattern =
  /^\/delivery\/(\d{1,12})\.([\w-]{1,64})\.([\w-]{1,64})\/([^/]{1,63})\/([^/]{1,128})\/g(\d{1,9})\/([a-z]{1,32})\/((?:[0-9a-f]{64}\/)?[\w.-]{1,128})$/;

const isFolder = (name: string): name is DeliveredFolder => (deliveredFolders as readonly string[]).includes(name);

/** Of a path without its query. `now` in milliseconds. */
export const readDeliveryPath = (
  keys: DeliveryKeys,
  path: string,
  now: number,
): Either<DeliveryRefusal, DeliveredObject> => {
  const found = pattern.exec(path);
  if (found === null) return left('unknown');
  const [, until = '', keyId = '', signature = '', tenant, videoId, number, folder = '', name = ''] = found;
  if (!TenantId.is(tenant) || !VideoId.is(videoId) || !isFolder(folder) || /^\.+$/.test(name)) return left('unknown');
  const generation: Generation = { tenant, videoId, generation: Number(number) };
  const text = `${until}:${scopeOf(generation)}`;
  if (!isSignedText(keys, use, { text, keyId, signature })) return left('forged');
  return Number(until) * 1_000 > now ? right({ ...generation, folder, name }) : left('expired');
};
