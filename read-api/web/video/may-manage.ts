/** Owners and administrators change a video, and see its processing and statistics. */
import type { Video } from '../../../packages/client/src/schemas';
import { hasScope, isMe } from '../kernel/permissions';

export const mayManage = ({ ownerId }: Pick<Video, 'ownerId'>): boolean => isMe(ownerId) || hasScope('videos:admin');
