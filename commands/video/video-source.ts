/** Videos as commands read them: folded by the deciders, so that checks and commands share one cached state of a stream. */
import { videoAccessRules } from '../../domain/video/access/decider';
import { videoSidecars } from '../../domain/video/sidecars/decider';
import { videoUpload } from '../../domain/video/upload/decider';
import { video } from '../../domain/video/video/decider';
import type { VideoSource } from '../../infra/server/video/video-access';
import type { StreamSource } from '../kernel/load-stream';

const videoRules = { video, access: videoAccessRules, sidecars: videoSidecars };

export const videoSourceOf = ({ store, warm }: StreamSource): VideoSource => ({
  store,
  cache: warm,
  rules: videoUpload,
  videoRules,
});
