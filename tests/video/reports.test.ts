/** Reports of videos: once per viewer until they are resolved, dismissed or upheld by a takedown, and listed for administrators alone. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { send } from '../../domain/kernel/process';
import { closeReportsOnVideoEnded } from '../../domain/video/close-reports-on-video-ended/process';
import type { VideoId, VideoReportId } from '../../domain/video/ids';
import { type VideoReportCommand, videoReportRules } from '../../domain/video/reports/decider';
import { videoReportsStream } from '../../domain/video/reports/events';
import { videoStream } from '../../domain/video/video/events';
import { given } from '../kernel/domain/given-when-then';
import { openPartList } from '../support/video/part-list';
import { playableEvents, recordVideoEvents, registerPrincipal } from '../support/video/record-events';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const [ada, ben, eve] = [caller('ada'), caller('ben'), caller('eve')];
const admin = caller('root', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
const foreigner = caller('ben', { tenantId: 'other', scopes: ['videos:read', 'videos:admin'] });
const codeOf = ({ status, body }: Answered) => [status, body.code];

const openModeration = async () => {
  const stage = openUploadStage(openPartList().blobs);
  for (const name of ['ada', 'ben', 'eve', 'root']) await registerPrincipal(stage.store, name);
  const source = { title: 'Harvest', fileSize: 9, contentType: 'video/mp4', idempotencyKey: 'k-1' };
  const videoId = (await stage.call('initiateVideoUpload', ada, { body: source })).body.videoId as VideoId;
  await recordVideoEvents(stage.store, videoId, playableEvents({ videoId, generation: 1 }));
  const params = { videoId };
  const show = (visibility: string) => stage.call('changeVideoVisibility', ada, { params, body: { visibility } });
  await show('tenant');
  const report = (by = ben, body: object = { reason: 'copyright', text: 'It is my film.' }) =>
    stage.call('reportVideo', by, { params, body });
  const dismiss = (by = admin) => stage.call('dismissVideoReports', by, { params, body: { reason: 'It is theirs.' } });
  const takeDown = (by = admin) => stage.call('takeDownVideo', by, { params, body: { reason: 'It is not theirs.' } });
  const list = async (operation: string, by = admin, query: object = {}) => {
    await stage.project();
    return (await stage.call(operation, by, { query })).body.items as readonly Readonly<Record<string, unknown>>[];
  };
  return { stage, videoId, show, report, dismiss, takeDown, list };
};

describe('reports of a video', () => {
  it('are listed for administrators with their words, and for the reporter with what became of them', async () => {
    const { videoId, report, dismiss, list } = await openModeration();
    const { reportId } = (await report()).body;
    await report(eve, { reason: 'other', text: null });
    assert.deepEqual(
      (await list('listVideoReports', admin, { state: 'open' }))
        .map(({ reporterId, reason, text, title }) => [reporterId, reason, text, title].join(', '))
        .toSorted(),
      ['ben, copyright, It is my film., Harvest', 'eve, other, , Harvest'],
    );
    assert.equal((await dismiss()).status, 200);
    assert.deepEqual(await list('listVideoReports', admin, { state: 'open' }), []);
    const [own, ...others] = await list('listOwnVideoReports', ben);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [own?.reportId, own?.videoId, own?.state, own?.resolution, 'reporterId' in (own ?? {})],
      [reportId, videoId, 'dismissed', 'It is theirs.', false],
    );
    assert.deepEqual(await list('listOwnVideoReports', ada), []);
  });

  it('are taken once from each viewer until they are resolved, and then again', async () => {
    const { report, dismiss } = await openModeration();
    assert.equal((await report()).status, 201);
    assert.deepEqual(codeOf(await report()), [409, 'video-reported']);
    assert.equal((await report(eve)).status, 201);
    await dismiss();
    assert.equal((await dismiss()).status, 200);
    assert.equal((await report()).status, 201);
  });

  it('are taken from viewers that see the video alone, also by its link', async () => {
    const { stage, videoId, show, report } = await openModeration();
    assert.deepEqual(codeOf(await report(foreigner)), [404, 'video-unknown']);
    await show('link');
    assert.deepEqual(codeOf(await report()), [404, 'video-unknown']);
    const { link } = (await stage.call('getVideoAccess', ada, { params: { videoId } })).body;
    const words = { reason: 'other', text: null };
    assert.deepEqual(codeOf(await report(ben, { ...words, link: `${String(link)}x` })), [404, 'video-unknown']);
    assert.equal((await report(ben, { ...words, link })).status, 201);
  });

  it('are upheld by a takedown, which hides the video at once', async () => {
    const { stage, videoId, report, takeDown, list } = await openModeration();
    await report();
    assert.equal((await takeDown()).status, 200);
    for (const identity of [ada, ben, admin])
      assert.deepEqual(codeOf(await stage.call('getVideoPlayback', identity, { params: { videoId } })), [
        404,
        'video-unknown',
      ]);
    const types = await stage.eventsOf(videoStream('acme' as never, videoId));
    assert.deepEqual(types.slice(-2), ['video.VideoTakenDown.v1', 'video.VideoDeleted.v1']);
    const takenDown = { videoId, takenDownBy: 'root' as never, reason: 'It is not theirs.' };
    const upheld = { type: 'UpholdVideoReports', videoId, reason: 'It is not theirs.' };
    assert.deepEqual(
      closeReportsOnVideoEnded.react(undefined, {
        ...{ event: { type: 'VideoTakenDown', data: takenDown }, at: '2026-01-31T12:00:00.000Z' as never, id: 'e-1' },
        ...{ tenant: 'acme' as never, entityId: videoId, isSelfCaused: false },
      }).actions,
      [send('video.reports', videoId, upheld)],
    );
    const [listed] = await list('listVideoReports');
    assert.equal(listed?.title, null);
    assert.equal((await stage.eventsOf(videoReportsStream('acme' as never, videoId))).length, 1);
  });

  it('are resolved by administrators of the tenant alone', async () => {
    const { report, dismiss, takeDown, list } = await openModeration();
    await report();
    for (const act of [dismiss, takeDown]) assert.deepEqual(codeOf(await act(foreigner)), [404, 'video-unknown']);
    assert.deepEqual(await list('listVideoReports', foreigner), []);
    assert.deepEqual(await list('listOwnVideoReports', foreigner), []);
  });
});

describe('decisions on reports', () => {
  const videoId = 'v-1' as VideoId;
  const commands = fc.array(
    fc.oneof(
      fc.constantFrom('ada', 'ben', 'eve').map(
        (reporterId): VideoReportCommand => ({
          ...{ type: 'ReportVideo', videoId, reportId: `r-${reporterId}` as VideoReportId },
          ...{ reporterId: reporterId as never, reason: 'other', text: null },
        }),
      ),
      fc.constant<VideoReportCommand>({ type: 'UpholdVideoReports', videoId, reason: null }),
      fc.constant<VideoReportCommand>({
        ...{ type: 'DismissVideoReports', videoId, reason: 'It is theirs.', dismissedBy: 'root' as never },
      }),
    ),
    { maxLength: 20 },
  );

  it('leave a viewer one open report at most, and resolve each report once', () => {
    fc.assert(
      fc.property(commands, (all) => {
        let state = videoReportRules.initial;
        let [opened, resolved] = [0, 0];
        for (const command of all) {
          const decided = videoReportRules.decide(command, state);
          if (decided._tag === 'Left') {
            assert.equal(command.type === 'ReportVideo' && state.has(command.reporterId), true);
            continue;
          }
          for (const event of decided.right) {
            if (event.type === 'VideoReported') opened += 1;
            else resolved += event.data.reportIds.length;
            state = videoReportRules.evolve(state, event);
          }
          assert.equal(state.size, opened - resolved);
        }
      }),
    );
  });

  it('refuse more reports than are of use', () => {
    const reported = Array.from({ length: 1_000 }, (_, index) => ({
      type: 'VideoReported' as const,
      data: {
        ...{ videoId, reportId: `r-${index}` as VideoReportId, reporterId: `p-${index}` as never },
        ...{ reason: 'other' as const, text: null },
      },
    }));
    given(videoReportRules, ...reported)
      .when({
        ...{ type: 'ReportVideo', videoId, reportId: 'r' as VideoReportId, reporterId: 'ada' as never },
        ...{ reason: 'other', text: null },
      })
      .rejects('too-many-reports');
  });
});
