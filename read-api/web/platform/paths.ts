/** Paths of the platform pages. */
import { segment } from '../kernel/router';

export const streamPath = (stream: string): string => `/console/streams/${segment(stream)}`;
export const eventPath = (stream: string, revision: number | string): string => `${streamPath(stream)}/${revision}`;
export const viewsPath = '/console/views';
export const timersPath = (process: string): string => `/console/processes/${segment(process)}/timers`;
export const jobPath = (jobId: string): string => `/console/jobs/${segment(jobId)}`;
export const findPath = (eventId: string): string => `/console/events/${segment(eventId)}`;
