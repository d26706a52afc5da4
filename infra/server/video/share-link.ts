/** The secret part of a link to a video: made of the link's id by the delivery keys, so that no log and no view holds it. */
import type { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { type DeliveryKeys, isSignedText, signText } from './signed-text';

interface LinkedVideo {
  readonly tenant: TenantId;
  readonly videoId: VideoId;
}

const use = 'link';

const textOf = ({ tenant, videoId }: LinkedVideo, linkId: string): string => `${tenant}/${videoId}/${linkId}`;

export const signLink = (keys: DeliveryKeys, video: LinkedVideo, linkId: string): string => {
  const { keyId, signature } = signText(keys, use, textOf(video, linkId));
  return `${linkId}.${keyId}.${signature}`;
};

/** The link's id; undefined where the link is not genuine, or is of another video. Whether it is still in force is known from the access stream. */
export const readLink = (keys: DeliveryKeys, video: LinkedVideo, link: string): string | undefined => {
  const [linkId = '', keyId = '', signature = '', ...more] = link.length > 300 ? [] : link.split('.');
  if (linkId === '' || more.length > 0) return undefined;
  return isSignedText(keys, use, { text: textOf(video, linkId), keyId, signature }) ? linkId : undefined;
};
