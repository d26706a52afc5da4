/** Which steps the processing of a video takes, and which of them are still to be done. */
import type { ProcessingStage, ProcessingStep, Rendition } from './events';
import { type Ladder, type ProcessingFacts, renditionName, type UploadedVideo } from './state';

const plain = (stage: ProcessingStage): ProcessingStep => ({ stage, renditions: [] });

export const firstStep = plain('probe');
export const publishing = plain('publish');

/**
 * What is missing when the ladder is planned. The smallest rendition comes first, alone; the others of H.264 share a decoding. Those of other codecs do
 * not: their encoders take so much memory that one has the machine for itself.
 */
export const stepsOfLadder = ({
  renditions,
  copied,
  hasAudio,
  isAudioCopied,
  hasCaptions,
}: Ladder): readonly ProcessingStep[] => {
  const isCopied = (rendition: Rendition): boolean =>
    copied !== null && renditionName(rendition) === renditionName(copied);
  const encoded = renditions.filter((one) => !isCopied(one));
  const [smallest, ...larger] = encoded.filter(({ codec }) => codec === 'h264');
  const transcode = (...encoded: readonly Rendition[]): ProcessingStep => ({ stage: 'transcode', renditions: encoded });
  return [
    ...(copied === null ? [] : [plain('remux')]),
    ...(hasAudio && !isAudioCopied ? [plain('audio')] : []),
    ...(smallest === undefined ? [] : [transcode(smallest)]),
    ...(larger.length === 0 ? [] : [transcode(...larger)]),
    ...encoded.filter(({ codec }) => codec !== 'h264').map((one) => transcode(one)),
    ...(hasCaptions ? [plain('captions')] : []),
    plain('sprite'),
    plain('fingerprint'),
  ];
};

/** Whether the manifest lacks what is there. A film that has sound is not published without it. */
const isUnpublished = ({ ladder, packaged, audioSha256, manifest }: ProcessingFacts): boolean => {
  if (ladder === undefined || (ladder.hasAudio && audioSha256 === undefined)) return false;
  return packaged.size > (manifest?.renditions.length ?? 0);
};

const isLadderStepDue = (
  { ladder, packaged, audioSha256, thumbnails, captions, fingerprint }: ProcessingFacts,
  { stage, renditions }: ProcessingStep,
): boolean => {
  if (ladder === undefined) return false;
  switch (stage) {
    case 'remux':
      return (
        ladder.copied !== null &&
        (!packaged.has(renditionName(ladder.copied)) || (ladder.isAudioCopied && audioSha256 === undefined))
      );
    case 'transcode':
      return renditions.some((one) => !packaged.has(renditionName(one)));
    case 'audio':
      return audioSha256 === undefined;
    case 'sprite':
      return thumbnails === undefined;
    case 'captions':
      return captions === undefined;
    case 'fingerprint':
      return fingerprint === 'unknown';
    case 'probe':
    case 'publish':
      return false;
  }
};

/** Of a step that is taken for the video. */
export const isStepDone = (facts: ProcessingFacts, step: ProcessingStep): boolean => {
  if (step.stage === 'probe') return facts.probe !== undefined && facts.ladder !== undefined;
  if (step.stage === 'publish') return facts.manifest !== undefined && !isUnpublished(facts);
  return facts.ladder !== undefined && !isLadderStepDue(facts, step);
};

/** Late and repeated jobs find that nothing is to be done. */
export const isStepDue = ({ facts, failure }: UploadedVideo, step: ProcessingStep): boolean => {
  if (failure !== undefined) return false;
  if (step.stage === 'probe') return facts.probe === undefined || facts.ladder === undefined;
  return step.stage === 'publish' ? isUnpublished(facts) : isLadderStepDue(facts, step);
};

/** Of a video that failed: what is done again when it is retried. */
export const missingSteps = (facts: ProcessingFacts): readonly ProcessingStep[] => {
  if (facts.probe === undefined || facts.ladder === undefined) return [firstStep];
  const missing = stepsOfLadder(facts.ladder).filter((step) => isLadderStepDue(facts, step));
  return isUnpublished(facts) ? [...missing, publishing] : missing;
};
