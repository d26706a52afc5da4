/** Groups of segments become jobs, and what they have become is joined when all of them are there. */
import { type EnqueueJob, enqueueJob, policy, type Send } from '../../kernel/process';
import { type EncodingEvent, encodings } from '../encoding/events';
import { priorityOf, processingQueue, type StepJob, transcodingQueue } from '../run-steps-on-video/process';
import type { ProcessingStep } from '../video/events';
import { stepName } from '../video/state';

/** A worker that is lost again and again leaves a job that the next one ends, and no dead letter that the video would wait for. */
const mostAttempts = 100;

/** In the order of the jobs that the event has. */
export const groupsOf = ({ type, data }: EncodingEvent): readonly number[] => {
  if (type === 'EncodingPlanned') return Array.from({ length: data.groupCount }, (_, group) => group);
  return type === 'EncodingResumed' ? data.groups : [];
};

export const encodeGroupsOnPlanned = policy<EncodingEvent, Send>({
  name: 'encode-groups-on-planned',
  context: 'video',
  subscribes: [encodings],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (event.type === 'GroupEncoded' ? undefined : entityId),
  answer: ({ event }) => {
    if (event.type === 'GroupEncoded') return [];
    const { videoId, generation, renditions } = event.data;
    const step: ProcessingStep = { stage: 'transcode', renditions };
    const job: StepJob = { videoId, generation, step };
    const more = { priority: priorityOf(step), mostAttempts } as const;
    if (event.type === 'EncodingCompleted')
      return [enqueueJob(processingQueue, { ...job, isJoin: true }, { ...more, jobKind: `${stepName(step)}, joined` })];
    return groupsOf(event).map(
      (group): EnqueueJob =>
        enqueueJob(transcodingQueue, { ...job, group }, { ...more, jobKind: `${stepName(step)}, group ${group}` }),
    );
  },
});
