/** How far an encoding is shown to be: by its groups in the log, and by what the worker of the next one reported to the queue. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TenantId } from '../../../domain/kernel/ids';
import { type EncodingEvent, encodingIdOf, encodingStream, encodings } from '../../../domain/video/encoding/events';
import type { VideoId } from '../../../domain/video/ids';
import { transcodingQueue } from '../../../domain/video/run-steps-on-video/process';
import { encodingPercent } from '../../../read-api/video/encoding-progress';
import { metadataOf } from '../../editor/documents/routes/fixture';
import { expectRight } from '../../support/domain/expect-right';
import { needs } from '../../support/runner/prerequisites';
import { openVideoProcessing } from '../../support/video/processing-stage';
import { digestOf } from '../../support/video/record-events';
import { eventually } from '../../support/waiting/eventually';

const tenant = 'acme' as TenantId;
const video = { videoId: 'v-1' as VideoId, generation: 1 };
const renditions = [{ resolution: '360p', codec: 'h264' }] as const;

describe('the progress of an encoding', function () {
  this.timeout(120_000);
  needs('isolation');

  it('counts groups that are there, and the share of the one that is worked on', async () => {
    const stage = await openVideoProcessing();
    const { store, work, jobs } = stage;
    const stream = encodingStream(tenant, encodingIdOf(video.videoId, video.generation, renditions));
    const record = async (event: EncodingEvent): Promise<void> => {
      const added = { id: randomUUID(), ...encodings.encode(event), metadata: metadataOf(tenant) };
      expectRight(await store.append(stream, 'any', [added]));
    };
    const percent = async (): Promise<number | undefined> =>
      expectRight(await encodingPercent({ store, jobs }, { tenant, video, renditions }));
    const claimOne = async () => {
      const claim = { queue: transcodingQueue.name, worker: 'w-1', limit: 1, concurrency: 4, perTenant: 4 };
      let claimed: Awaited<ReturnType<typeof work.claim>> | undefined;
      await eventually(async () => {
        claimed = await work.claim({ ...claim, milliseconds: 30_000 });
        assert.equal(expectRight(claimed).length, 1);
      });
      const [job] = claimed === undefined ? [] : expectRight(claimed);
      return job ?? assert.fail('no job is claimed');
    };
    const report = async (job: Awaited<ReturnType<typeof claimOne>>, fraction: number): Promise<void> => {
      const progress = { fraction, detail: 'It is encoded.' };
      expectRight(await work.extendClaim(job, { milliseconds: 30_000, progress }));
    };

    assert.equal(await percent(), undefined);
    await record({ type: 'EncodingPlanned', data: { ...video, renditions, groupCount: 4 } });
    assert.equal(await percent(), 0);
    const first = await claimOne();
    await report(first, 0.5);
    assert.equal(await percent(), 12);
    const second = await claimOne();
    await report(second, 0.2);
    assert.equal(await percent(), 17);
    await record({ type: 'GroupEncoded', data: { ...video, group: 0, tracks: [digestOf('a')] } });
    await work.complete(first);
    assert.equal(await percent(), 30);
    await stage.close();
  });
});
