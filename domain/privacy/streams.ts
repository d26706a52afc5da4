/** Names of this context's streams. */
import { contextStreams } from '../kernel/context-streams';

export const streams = contextStreams('privacy', ['subject']);

/** How the names of all of them begin. */
export const subjectStreams = 'privacy.subject-';

/** By the hash of the subject. */
export const subjectStream = streams.of<string>('subject');
