/** Routes of entitlements: subscriptions, purchases and rentals, granted by the owner, an administrator, or a service with their scope. */
import { isLeft, right } from 'fp-ts/Either';
import { Instant, nullable, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { EntitlementKind } from '../../../domain/video/access/events';
import { VideoEntitlementId, VideoId } from '../../../domain/video/ids';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessRouteDefaults, OneVideoPath, requireViewer, streamSourceOf, videoSubject } from './access-route';

const EntitlementAnswer = record('ChangedVideoEntitlement', { entitlementId: VideoEntitlementId });

export const grantVideoEntitlement = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/entitlements',
  operation: 'grantVideoEntitlement',
  summary: 'Grant a viewer an entitlement',
  description:
    'By the owner of the video; with `videos:admin` also for the videos of others, as a service that takes payments does. A purchase and a rental are of this video, a subscription is of all videos of its owner. A rental has an end. Billing and its cycles are not kept here.',
  sensitive: true,
  created: true,
  params: OneVideoPath,
  body: record('NewVideoEntitlement', {
    kind: EntitlementKind,
    viewerId: PrincipalId,
    beginsAt: Instant,
    /** Null: until it is revoked. */
    endsAt: nullable(Instant),
  }),
  answer: EntitlementAnswer,
  prepare: async ({ params: { videoId }, body, derivedId, ...request }, deps) => {
    const named = { tenantId: request.tenantId, principalId: body.viewerId, pointer: '/body/viewerId' };
    const refused = await requireViewer(streamSourceOf(deps), named);
    if (isLeft(refused)) return refused;
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    const entitlementId = derivedId('entitlement') as VideoEntitlementId;
    return right({
      stream,
      command: { type: 'GrantEntitlement' as const, ...of, entitlementId, ...body },
      answer: { entitlementId },
    });
  },
});

export const revokeVideoEntitlement = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/api/videos/:videoId/entitlements/:entitlementId',
  operation: 'revokeVideoEntitlement',
  summary: 'Revoke an entitlement',
  description:
    'Who played by it alone has no new address and no licence once this is answered. Subscriptions are revoked by any video of the owner.',
  sensitive: false,
  params: record('VideoEntitlementPath', { videoId: VideoId, entitlementId: VideoEntitlementId }),
  answer: EntitlementAnswer,
  prepare: async ({ params: { videoId, entitlementId }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    const command = { type: 'RevokeEntitlement' as const, ...of, entitlementId };
    return right({ stream, command, answer: { entitlementId } });
  },
});
