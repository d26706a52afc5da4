/** Keys that cached objects are purged by: a video, `acme/v-1`, or one generation of it, `acme/v-1/g2`. */
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { type Generation, generationPrefix, videoPrefix } from '../../../domain/video/keys';

export const surrogateKeysOf = ({ tenant, videoId, generation }: Generation): readonly [string, string] => [
  `${tenant}/${videoId}`,
  `${tenant}/${videoId}/g${generation}`,
];

/** What the keys of the objects begin with. Undefined: it is no surrogate key. */
export const prefixOfSurrogateKey = (key: string): string | undefined => {
  const [, tenant, videoId, generation] = /^([^/]+)\/([^/]+?)(?:\/g(\d{1,9}))?$/.exec(key) ?? [];
  if (!TenantId.is(tenant) || !VideoId.is(videoId)) return undefined;
  if (generation === undefined) return videoPrefix(tenant, videoId);
  return generationPrefix({ tenant, videoId, generation: Number(generation) });
};
