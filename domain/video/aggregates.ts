/** The aggregates of videos. */
import type { ContextAggregates } from '../kernel/aggregate';
import { videoAccessRules } from './access/decider';
import { blocklist } from './blocklist/decider';
import { encoding } from './encoding/decider';
import { videoReconciliation } from './reconciliation/decider';
import { references } from './references';
import { videoReportRules } from './reports/decider';
import { videoSidecars } from './sidecars/decider';
import { videoStorage } from './storage/decider';
import { videoUpload } from './upload/decider';
import { video } from './video/decider';
import { videoViewing } from './views/decider';

export const context: ContextAggregates = {
  aggregates: [
    videoUpload,
    video,
    videoSidecars,
    encoding,
    blocklist,
    videoStorage,
    videoAccessRules,
    videoReconciliation,
    videoViewing,
    videoReportRules,
  ],
  references,
};
