/** What is said of documents, as opposed to their content, which their owner takes. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import { appointOwnerRoute } from './appoint';
import type { DocumentDeps } from './common';
import { acceptInvitationRoute, declineInvitationRoute, withdrawInvitationRoute } from './invitations';
import { inviteRoute } from './invite';
import { createDocumentRoute, disposalRoutes, renameDocumentRoute } from './life';
import { changeLinkRoleRoute, closeLinkRoute, openLinkRoute, shareLinkRoute } from './link';
import { changeRoleRoute, removeMemberRoute } from './members';
import { slowlyTakenAway } from './taking-away';
import { nameVersionRoute, removeVersionNameRoute } from './versions';

export const documentRoutes = (deps: DocumentDeps): readonly BoundRoute[] => [
  bind(deps, createDocumentRoute),
  bind(deps, renameDocumentRoute),
  ...disposalRoutes.map((route) => bind(deps, slowlyTakenAway(route))),
  bind(deps, inviteRoute),
  bind(deps, acceptInvitationRoute),
  bind(deps, declineInvitationRoute),
  bind(deps, withdrawInvitationRoute),
  bind(deps, slowlyTakenAway(changeRoleRoute)),
  bind(deps, slowlyTakenAway(removeMemberRoute)),
  bind(deps, appointOwnerRoute),
  bind(deps, slowlyTakenAway(shareLinkRoute)),
  bind(deps, slowlyTakenAway(changeLinkRoleRoute)),
  bind(deps, slowlyTakenAway(closeLinkRoute)),
  bind(deps, openLinkRoute),
  bind(deps, nameVersionRoute),
  bind(deps, removeVersionNameRoute),
];
