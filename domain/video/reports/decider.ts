/** A viewer reports a video once until that is resolved; repeated resolutions have no effect. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId, VideoReportId } from '../ids';
import { videoLimits } from '../limits';
import { type ReportReason, type VideoReportEvent, videoReports } from './events';

/** Ids of open reports, by reporter. */
export type VideoReportsState = ReadonlyMap<PrincipalId, VideoReportId>;

interface OfVideo {
  readonly videoId: VideoId;
}

export type VideoReportCommand =
  | (OfVideo & {
      readonly type: 'ReportVideo';
      readonly reportId: VideoReportId;
      readonly reporterId: PrincipalId;
      readonly reason: ReportReason;
      readonly text: string | null;
    })
  | (OfVideo & { readonly type: 'DismissVideoReports'; readonly reason: string; readonly dismissedBy: PrincipalId })
  | (OfVideo & { readonly type: 'UpholdVideoReports'; readonly reason: string | null });

export type VideoReportRejection = 'video-reported' | 'too-many-reports';

type Decision = Either<Rejection<VideoReportRejection>, readonly VideoReportEvent[]>;

const decide = (command: VideoReportCommand, open: VideoReportsState): Decision => {
  switch (command.type) {
    case 'ReportVideo': {
      const { type: _, ...data } = command;
      if (open.has(data.reporterId)) return reject('video-reported', 'Your report of the video is not resolved yet.');
      if (open.size >= videoLimits.openReports)
        return reject('too-many-reports', 'The video was reported so often that more reports add nothing.');
      return right([{ type: 'VideoReported', data }]);
    }
    case 'DismissVideoReports': {
      const { type: _, ...data } = command;
      return right(
        open.size === 0 ? [] : [{ type: 'VideoReportsDismissed', data: { ...data, reportIds: [...open.values()] } }],
      );
    }
    case 'UpholdVideoReports': {
      const { type: _, ...data } = command;
      return right(
        open.size === 0 ? [] : [{ type: 'VideoReportsUpheld', data: { ...data, reportIds: [...open.values()] } }],
      );
    }
  }
};

const noReports: VideoReportsState = new Map();

const evolve = (open: VideoReportsState, { type, data }: VideoReportEvent): VideoReportsState =>
  type === 'VideoReported' ? new Map(open).set(data.reporterId, data.reportId) : noReports;

export const videoReportRules: Decider<VideoReportCommand, VideoReportsState, VideoReportEvent, VideoReportRejection> =
  {
    family: videoReports,
    initial: noReports,
    evolve,
    decide,
  };
