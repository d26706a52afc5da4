/** Views of the editor. */
import type { Projection } from '../kernel/projection';
import { nodeActivityProjection } from './activity/project';
import { documentsProjection } from './documents/project';
import { documentInvitationsProjection } from './invitations/project';
import { documentMembersProjection } from './members/project';
import { documentVersionsProjection } from './versions/project';

export const context: readonly Projection[] = [
  documentsProjection,
  documentMembersProjection,
  documentInvitationsProjection,
  documentVersionsProjection,
  nodeActivityProjection,
];
