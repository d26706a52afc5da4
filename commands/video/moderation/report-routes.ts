/** Viewers report a video; administrators dismiss the reports, or take the video down. */
import { isLeft, left, right } from 'fp-ts/Either';
import { nullable, record, text } from '../../../domain/kernel/codec';
import { isVisible } from '../../../domain/video/access/state';
import { VideoId, VideoReportId } from '../../../domain/video/ids';
import { ModerationReason } from '../../../domain/video/moderation-reason';
import { videoReportRules } from '../../../domain/video/reports/decider';
import { ReportReason, ReportText, videoReportsStream } from '../../../domain/video/reports/events';
import { video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import { videoUnknown } from '../../../infra/server/video/problems';
import { readLink } from '../../../infra/server/video/share-link';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import { requireVideo } from '../../../infra/server/video/video-access';
import { viewerOf } from '../../../infra/server/video/viewers';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessSubject, OneVideoPath, streamSourceOf, VideoAnswer, videoSubject } from '../access/access-route';
import { deletionProblems, reportProblems } from '../problems';
import { videoSourceOf } from '../video-source';

export interface ReportDeps extends CommandDeps {
  /** Undefined: no link is genuine. */
  readonly deliveryKeys: DeliveryKeys | undefined;
}

export const reportVideo = commandRoute<ReportDeps>()({
  method: 'post',
  path: '/api/videos/:videoId/reports',
  operation: 'reportVideo',
  summary: 'Report a video to the administrators',
  description:
    'By a signed-in viewer that sees it, with `link` by its link. One report of a viewer is open at a time; `listOwnVideoReports` has what became of it.',
  scopes: ['videos:read'],
  sensitive: false,
  created: true,
  params: OneVideoPath,
  body: record(
    'NewVideoReport',
    { reason: ReportReason, text: nullable(ReportText) },
    { link: text('ReportedVideoLink', { maxLength: 300, description: 'The secret part of the link.' }) },
  ),
  answer: record('VideoReportAnswer', { videoId: VideoId, reportId: VideoReportId }),
  decider: videoReportRules,
  problems: reportProblems,
  prepare: async ({ params: { videoId }, body: { reason, text: words, link }, derivedId, ...request }, deps) => {
    const { tenantId: tenant, identity } = request;
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const found = await requireVideo(videoSourceOf(streamSourceOf(deps)), { tenant, videoId });
    if (isLeft(found)) return found;
    const { deliveryKeys } = deps;
    const linkId =
      link === undefined || deliveryKeys === undefined ? undefined : readLink(deliveryKeys, { tenant, videoId }, link);
    if (!isVisible(found.right.access, found.right.video, viewerOf(identity, linkId))) return left(videoUnknown);
    const reportId = derivedId('report') as VideoReportId;
    const { by: reporterId } = subject.right;
    return right({
      stream: videoReportsStream(tenant, videoId),
      command: { type: 'ReportVideo' as const, ...{ videoId, reportId, reporterId, reason, text: words } },
      answer: { videoId, reportId },
    });
  },
});

const Resolution = record('VideoReportResolution', { reason: ModerationReason });

export const dismissVideoReports = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/api/videos/:videoId/reports/dismiss',
  operation: 'dismissVideoReports',
  summary: 'Dismiss the open reports of a video',
  description: 'All of them; reporters see the reason. Viewers may report the video again.',
  scopes: ['videos:admin'],
  sensitive: true,
  params: OneVideoPath,
  body: Resolution,
  answer: VideoAnswer,
  decider: videoReportRules,
  problems: reportProblems,
  prepare: async ({ params: { videoId }, body: { reason }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    return right({
      stream: videoReportsStream(request.tenantId, videoId),
      command: { type: 'DismissVideoReports' as const, videoId, reason, dismissedBy: subject.right.by },
      answer: { videoId },
    });
  },
});

export const takeDownVideo = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/api/videos/:videoId/takedown',
  operation: 'takeDownVideo',
  summary: 'Take a video down',
  description:
    'As its deletion, with a reason that is recorded and that reporters see: no viewer sees or plays it once this is answered, its keys are destroyed, edges are purged and its objects removed. Open reports of it are upheld. It cannot be undone.',
  scopes: ['videos:admin'],
  danger: true,
  params: OneVideoPath,
  body: Resolution,
  answer: VideoAnswer,
  decider: video,
  problems: deletionProblems,
  prepare: async ({ params: { videoId }, body: { reason }, ...request }, deps) => {
    const subject = await videoSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    return right({
      stream: videoStream(request.tenantId, videoId),
      command: { type: 'TakeDownVideo' as const, videoId, reason, takenDownBy: subject.right.by },
      answer: { videoId },
    });
  },
});
