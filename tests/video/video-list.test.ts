/** Lists of videos: own, shared and public ones, channels, searched by title and sorted, and none that the caller may not see. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { VideoId } from '../../domain/video/ids';
import { openPartList } from '../support/video/part-list';
import { playableEvents, recordVideoEvents, registerPrincipal } from '../support/video/record-events';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const [ada, ben] = [caller('ada'), caller('ben')];
const admin = caller('root', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
const foreigner = caller('ben', { tenantId: 'other', scopes: ['videos:read', 'videos:admin'] });

const titlesIn = ({ body }: Answered): readonly string[] =>
  (body.items as readonly { readonly title: string }[]).map(({ title }) => title);

const openLibrary = async () => {
  const stage = openUploadStage(openPartList().blobs);
  for (const name of ['ada', 'ben', 'root']) await registerPrincipal(stage.store, name);
  const upload = async (title: string, owner = ada): Promise<VideoId> => {
    const body = { title, fileSize: 9, contentType: 'video/mp4', idempotencyKey: `${owner.principalId} ${title}` };
    return (await stage.call('initiateVideoUpload', owner, { body })).body.videoId as VideoId;
  };
  const publish = async (title: string, visibility: string, owner = ada): Promise<VideoId> => {
    const videoId = await upload(title, owner);
    await recordVideoEvents(stage.store, videoId, playableEvents({ videoId, generation: 1 }, owner.principalId));
    await stage.call('changeVideoVisibility', owner, { params: { videoId }, body: { visibility } });
    return videoId;
  };
  const list = async (identity = ada, query: object = {}): Promise<Answered> => {
    await stage.project();
    return stage.call('listVideos', identity, { query });
  };
  const titles = async (identity = ada, query: object = {}) => titlesIn(await list(identity, query));
  return { stage, upload, publish, list, titles };
};

describe('lists of videos', () => {
  it('have the title that was given last, also after another attempt to upload', async () => {
    const { stage, upload, list, titles } = await openLibrary();
    const videoId = await upload('Harvst');
    const describe = (title: string, description: string) =>
      stage.call('describeVideo', ada, { params: { videoId }, body: { title, description } });
    assert.equal((await describe('Harvest', 'Barley.')).status, 200);
    await stage.call('abortVideoUpload', ada, { params: { videoId } });
    await upload('Harvst');
    assert.deepEqual(await titles(ada, { title: 'harvest' }), ['Harvest']);
    assert.deepEqual(await titles(ada, { title: 'harvst' }), []);
    const { body } = await stage.call('getVideo', ada, { params: { videoId } });
    assert.deepEqual([body.title, body.description, body.status], ['Harvest', 'Barley.', 'uploading']);
    await describe('Harvest', '');
    assert.equal(((await list()).body.items as readonly { readonly description: unknown }[])[0]?.description, null);
  });

  it('have what others share by name or with the tenant, and what is public, and nothing else of others', async () => {
    const { stage, upload, publish, titles } = await openLibrary();
    await publish('Private', 'private');
    const named = await publish('By name', 'private');
    await publish('Tenant', 'tenant');
    await publish('Link', 'link');
    await publish('Public', 'public');
    await publish('Of Ben', 'tenant', ben);
    const early = await upload('Not yet');
    await stage.call('changeVideoVisibility', ada, { params: { videoId: early }, body: { visibility: 'public' } });
    await stage.call('shareVideo', ada, { params: { videoId: named, principalId: 'ben' } });
    assert.deepEqual(await titles(ben), ['Of Ben']);
    assert.deepEqual(await titles(ben, { ownership: 'own', sort: 'title' }), ['Of Ben']);
    assert.deepEqual(await titles(ben, { ownership: 'shared', sort: 'title' }), ['By name', 'Tenant']);
    assert.deepEqual(await titles(ben, { ownership: 'public' }), ['Public']);
    assert.deepEqual(await titles(ben, { ownerId: 'ada', sort: 'title' }), ['By name', 'Public', 'Tenant']);
    assert.deepEqual(await titles(ada, { ownerId: 'ben' }), ['Of Ben']);
    assert.equal((await titles(admin, { ownerId: 'ada' })).length, 6);
    for (const query of [{ ownership: 'shared' }, { ownership: 'public' }, { ownerId: 'ada' }, { all: 'true' }])
      assert.deepEqual(await titles(foreigner, query), []);
    await stage.call('unshareVideo', ada, { params: { videoId: named, principalId: 'ben' } });
    assert.deepEqual(await titles(ben, { ownership: 'shared' }), ['Tenant']);
  });

  it('find titles by letters of them, without accents and in any case', async () => {
    const { publish, titles } = await openLibrary();
    for (const title of ['Ölberg at dawn', 'Harbour', 'The old pier']) await publish(title, 'private');
    assert.deepEqual(await titles(ada, { title: 'OL', sort: 'title' }), ['Ölberg at dawn', 'The old pier']);
    assert.deepEqual(await titles(ada, { title: 'nowhere' }), []);
    assert.deepEqual(await titles(ada, { title: 'harb', status: 'ready' }), []);
    assert.deepEqual(await titles(ada, { title: 'harb', status: 'processing' }), ['Harbour']);
  });

  it('are read in pages of any size as in one, in every order', async () => {
    const { publish, list, titles } = await openLibrary();
    for (const title of ['File 10', 'File 9', 'Álbum', 'Zebra', 'album 2']) await publish(title, 'tenant');
    assert.deepEqual(await titles(ada, { sort: 'title' }), ['Álbum', 'album 2', 'File 9', 'File 10', 'Zebra']);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('created', 'title', 'views', 'length'),
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom([ada, {}] as const, [ben, { ownership: 'shared' }] as const),
        async (sort, direction, limit, [identity, filter]) => {
          const query = { ...filter, sort, direction };
          const whole = await titles(identity, query);
          assert.equal(whole.length, 5);
          const read: string[] = [];
          let cursor: unknown;
          do {
            const page = await list(identity, { ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
            read.push(...titlesIn(page));
            cursor = page.body.next_cursor;
          } while (cursor !== null);
          assert.deepEqual(read, whole);
          assert.deepEqual([...(await titles(identity, { ...query, direction: 'asc' }))].reverse(), [
            ...(await titles(identity, { ...query, direction: 'desc' })),
          ]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('refuse what does not go together, everyone’s to others than administrators, and cursors of others', async () => {
    const { publish, list } = await openLibrary();
    for (const title of ['One', 'Two']) await publish(title, 'tenant');
    assert.equal((await list(ben, { all: 'true' })).status, 403);
    for (const query of [{ ownerId: 'ben' }, { all: 'true' }])
      assert.equal((await list(admin, { ownership: 'public', ...query })).status, 400);
    const { body } = await list(ben, { ownership: 'shared', limit: 1 });
    assert.equal((await list(admin, { ownership: 'shared', limit: 1, cursor: body.next_cursor })).status, 400);
  });
});
