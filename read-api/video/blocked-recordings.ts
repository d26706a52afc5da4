/** Recordings that videos of the tenant are compared with, from the log. */
import { isLeft } from 'fp-ts/Either';
import { listOf, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { blocklistStream, RecordingId, RecordingName } from '../../domain/video/blocklist/events';
import { blocklistRules } from '../../domain/video/blocklist/state';
import { VideoId } from '../../domain/video/ids';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { readProblems, type VideoReading } from './video-reading';

const BlockedRecordings = record('BlockedRecordings', {
  items: listOf(
    'BlockedRecordingList',
    record('BlockedRecording', {
      recordingId: RecordingId,
      name: RecordingName,
      /** Whose sound was blocked; it may be deleted since. */
      videoId: VideoId,
    }),
    1_000,
  ),
});

export const listBlockedRecordings = route<VideoReading>()({
  method: 'get',
  path: '/api/blocked-recordings',
  operation: 'listBlockedRecordings',
  summary: 'List blocked recordings',
  description: 'All of the tenant, 1,000 at most.',
  access: { scopes: ['videos:admin'] },
  answers: { 200: { description: 'As the log has them now.', body: BlockedRecordings } },
  problems: readProblems,
  handle: async ({ source }, { identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const list = await loadAggregate(source, blocklistRules, blocklistStream(tenantId));
    if (isLeft(list)) return problemOf(list.left, {});
    const items = [...list.right.state.recordings.values()].map(({ recordingId, name, videoId }) => ({
      ...{ recordingId, name, videoId },
    }));
    return { status: 200, body: { items } };
  },
});
