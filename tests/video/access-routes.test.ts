/** Routes of access to videos, with playback and licences as viewers request them: what is taken away holds from its answer on. */
import assert from 'node:assert/strict';
import { contentKeyOf } from '../../commands/video/protection/content-keys';
import { destroyKeys } from '../../commands/video/protection/destroy-keys';
import type { TenantId } from '../../domain/kernel/ids';
import type { VideoId } from '../../domain/video/ids';
import type { ByteAnswer } from '../../infra/server/http/routing/route';
import { expectRight } from '../support/domain/expect-right';
import { openPartList } from '../support/video/part-list';
import { playableEvents, recordVideoEvents, registerPrincipal } from '../support/video/record-events';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const everyScope = ['videos:read', 'videos:write', 'videos:admin'];
const [ada, ben, eve] = [caller('ada'), caller('ben'), caller('eve')];
const admin = caller('root', { scopes: everyScope });
const foreigner = caller('ada', { tenantId: 'other', scopes: everyScope });
const stranger = caller('', { tenantId: '', scopes: [] });
const codeOf = ({ status, body }: Answered) => [status, body.code];
const [begin, end] = ['2026-01-31T00:00:00.000Z', '2026-01-31T13:00:00.000Z'];

const openLibrary = async () => {
  const stage = openUploadStage(openPartList().blobs);
  for (const name of ['ada', 'ben', 'eve', 'root']) await registerPrincipal(stage.store, name);
  const begun = async (key = 'k-1', owner = ada): Promise<VideoId> => {
    const source = { title: 'Harvest', fileSize: 9, contentType: 'video/mp4', idempotencyKey: key };
    return (await stage.call('initiateVideoUpload', owner, { body: source })).body.videoId as VideoId;
  };
  const publish = (videoId: VideoId) =>
    recordVideoEvents(stage.store, videoId, playableEvents({ videoId, generation: 1 }));
  const playable = async (key?: string): Promise<VideoId> => {
    const videoId = await begun(key);
    await publish(videoId);
    return videoId;
  };
  const change = (operation: string, videoId: string, more: { readonly [name: string]: unknown } = {}, by = ada) => {
    const { body = {}, ...params } = more;
    return stage.call(operation, by, { params: { videoId, ...params }, body: body as object });
  };
  const play = (videoId: string, identity = ada, query: object = {}) =>
    stage.call('getVideoPlayback', identity, { params: { videoId }, query });
  const playShared = (videoId: string, query: object = {}) =>
    stage.call('getSharedVideoPlayback', stranger, { params: { tenantId: 'acme', videoId }, query });
  const show = (videoId: string, visibility: string) =>
    change('changeVideoVisibility', videoId, { body: { visibility } });
  return { stage, begun, publish, playable, change, play, playShared, show };
};
type Library = Awaited<ReturnType<typeof openLibrary>>;

describe('who plays a video', () => {
  it('is who it is shared with by name, from the answer to its end', async () => {
    const { playable, change, play } = await openLibrary();
    const videoId = await playable();
    const never = await play('never', ben);
    assert.equal((await change('shareVideo', videoId, { principalId: 'ben' })).status, 200);
    assert.equal((await play(videoId, ben)).status, 200);
    assert.deepEqual(await play(videoId, eve), never);
    assert.equal((await change('unshareVideo', videoId, { principalId: 'ben' })).status, 200);
    assert.deepEqual(await play(videoId, ben), never);
    assert.deepEqual(codeOf(await change('shareVideo', videoId, { principalId: 'nobody' })), [
      422,
      'principal-unknown',
    ]);
  });

  it('is the tenant, who has the link, or everyone, by its visibility', async () => {
    const { stage, playable, play, playShared, show } = await openLibrary();
    const videoId = await playable();
    const never = await playShared('never');
    const linkOf = async () => (await stage.call('getVideoAccess', ada, { params: { videoId } })).body.link as string;
    assert.deepEqual(await playShared(videoId), never);
    await show(videoId, 'tenant');
    assert.equal((await play(videoId, ben)).status, 200);
    assert.deepEqual(await playShared(videoId), never);
    assert.equal(await linkOf(), null);
    await show(videoId, 'link');
    const link = await linkOf();
    for (const answer of [await playShared(videoId), await play(videoId, ben)]) assert.equal(answer.status, 404);
    assert.equal((await playShared(videoId, { link })).status, 200);
    assert.equal((await play(videoId, ben, { link })).status, 200);
    for (const forged of [`${link}x`, link.replace('.', 'x.'), 'a.k1.b', ''])
      assert.deepEqual(await playShared(videoId, { link: forged }), never);
    const other = await playable('k-2');
    await show(other, 'link');
    assert.deepEqual(await playShared(other, { link }), never);
    await show(videoId, 'private');
    assert.deepEqual(await playShared(videoId, { link }), never);
    await show(videoId, 'link');
    assert.deepEqual(await playShared(videoId, { link }), never);
    await show(videoId, 'public');
    assert.equal((await playShared(videoId)).status, 200);
  });

  it('learns the title without sign-in, and stays one viewer by the earlier proof of the same video alone', async () => {
    const { stage, playable, play, playShared, show } = await openLibrary();
    const [videoId, other] = [await playable(), await playable('k-2')];
    for (const one of [videoId, other]) await show(one, 'public');
    assert.equal((await playShared(videoId)).body.title, null, 'it plays before its title is known');
    await stage.project();
    const first = await playShared(videoId);
    assert.deepEqual([first.body.title, first.body.description], ['Harvest', null]);
    const viewerOf = ({ body }: Answered): string => {
      const [content = ''] = String(body.playbackProof).split('.');
      return (JSON.parse(Buffer.from(content, 'base64url').toString()) as { readonly viewerId: string }).viewerId;
    };
    const again = (earlierProof: unknown, of = videoId) => playShared(of, { earlierProof });
    assert.equal(viewerOf(await again(first.body.playbackProof)), viewerOf(first));
    const signedIn = await play(videoId);
    const proof = String(first.body.playbackProof);
    for (const foreign of [
      '',
      'x',
      `${proof}x`,
      signedIn.body.playbackProof,
      (await playShared(other)).body.playbackProof,
    ])
      assert.match(viewerOf(await again(foreign)), /^guest~/);
    assert.notEqual(viewerOf(await again(`${proof}x`)), viewerOf(first));
    assert.notEqual(viewerOf(await again(proof, other)), viewerOf(first));
  });

  it('needs an entitlement where one is required, until it ends or is revoked', async () => {
    const { stage, playable, change, play, show } = await openLibrary();
    const videoId = await playable();
    await show(videoId, 'tenant');
    await change('changeVideoRequirement', videoId, { body: { kinds: ['rental'] } });
    assert.deepEqual(codeOf(await play(videoId, ben)), [403, 'entitlement-required']);
    assert.equal((await play(videoId, ada)).status, 200);
    const rental = { kind: 'rental', viewerId: 'ben', beginsAt: begin, endsAt: end };
    const granted = await change('grantVideoEntitlement', videoId, { body: rental });
    assert.equal(granted.status, 201);
    assert.equal((await play(videoId, ben)).status, 200);
    assert.deepEqual(codeOf(await play(videoId, eve)), [403, 'entitlement-required']);
    const listed = await stage.call('listOwnVideoEntitlements', ben);
    assert.deepEqual(listed.body.items, [{ ...granted.body, ...rental, videoId, ownerId: 'ada' }]);
    stage.setNow(end);
    assert.deepEqual(codeOf(await play(videoId, ben)), [403, 'entitlement-required']);
    stage.setNow('2026-01-31T12:30:00.000Z');
    assert.equal((await play(videoId, ben)).status, 200);
    const { entitlementId } = granted.body;
    assert.equal((await change('revokeVideoEntitlement', videoId, { entitlementId })).status, 200);
    assert.deepEqual(codeOf(await play(videoId, ben)), [403, 'entitlement-required']);
  });

  it('is changed by owners and administrators alone; others learn nothing of the video', async () => {
    const { stage, playable, change, show } = await openLibrary();
    const videoId = await playable();
    await show(videoId, 'public');
    const bodies: { readonly [operation: string]: object } = {
      changeVideoVisibility: { body: { visibility: 'private' } },
      shareVideo: { principalId: 'ben' },
      unshareVideo: { principalId: 'ben' },
      changeVideoRequirement: { body: { kinds: [] } },
      grantVideoEntitlement: { body: { kind: 'purchase', viewerId: 'ben', beginsAt: begin, endsAt: null } },
      revokeVideoEntitlement: { entitlementId: 'e-1' },
      describeVideo: { body: { title: 'Theirs', description: '' } },
      changeVideoProtection: { body: { protection: 'aes128' } },
      recallVideo: {},
      deleteVideo: {},
    };
    for (const [operation, more] of Object.entries(bodies)) {
      const refused = await change(operation, videoId, more as never, ben);
      assert.deepEqual(codeOf(refused), [404, 'video-unknown'], operation);
      assert.deepEqual(refused, await change(operation, 'never', more as never, ben), operation);
    }
    for (const one of [ben, foreigner])
      assert.deepEqual(codeOf(await stage.call('getVideoAccess', one, { params: { videoId } })), [
        404,
        'video-unknown',
      ]);
    assert.equal((await change('shareVideo', videoId, { principalId: 'ben' }, admin)).status, 200);
    assert.equal((await stage.call('getVideoAccess', admin, { params: { videoId } })).body.visibility, 'public');
  });

  it('is nobody once it is deleted', async () => {
    const { stage, begun, publish, change, play, playShared, show } = await openLibrary();
    const videoId = await begun();
    await stage.project();
    await publish(videoId);
    await show(videoId, 'public');
    assert.equal((await stage.call('getVideo', ben, { params: { videoId } })).status, 200);
    assert.equal((await change('deleteVideo', videoId)).status, 200);
    for (const identity of [ada, ben, admin]) assert.deepEqual(await play(videoId, identity), await play('never'));
    assert.deepEqual(await playShared(videoId), await playShared('never'));
    assert.deepEqual(codeOf(await stage.call('getVideo', ada, { params: { videoId } })), [404, 'video-unknown']);
    assert.deepEqual(codeOf(await change('deleteVideo', await begun('k-9'))), [409, 'upload-open']);
  });

  it('goes on with the next episode that the viewer sees', async () => {
    const { stage, playable, change, play, show } = await openLibrary();
    const [first, hidden, deleted, last] = [
      await playable('1'),
      await playable('2'),
      await playable('3'),
      await playable('4'),
    ];
    for (const videoId of [first, deleted, last]) await show(videoId, 'tenant');
    const created = await stage.call('createVideoSeries', ada, { body: { title: 'Harvests' } });
    const { seriesId } = created.body;
    const body = { videoIds: [first, hidden, deleted, last] };
    assert.equal((await stage.call('changeVideoSeriesEpisodes', ada, { params: { seriesId }, body })).status, 200);
    assert.equal((await play(first)).body.nextEpisodeId, hidden);
    assert.equal((await play(first, ben)).body.nextEpisodeId, deleted);
    await change('deleteVideo', deleted);
    assert.equal((await play(first, ben)).body.nextEpisodeId, last);
    assert.equal((await play(last)).body.nextEpisodeId, null);
    const foreign = await stage.call('changeVideoSeriesEpisodes', ben, {
      params: { seriesId },
      body: { videoIds: [] },
    });
    assert.deepEqual(codeOf(foreign), [404, 'series-unknown']);
    const rename = (title: string, by = ada) =>
      stage.call('renameVideoSeries', by, { params: { seriesId }, body: { title } });
    assert.deepEqual(codeOf(await rename('Theirs', ben)), [404, 'series-unknown']);
    assert.equal((await rename('Harvests of 2026')).status, 200);
    await stage.project();
    const [listed] = (await stage.call('listVideoSeries', ada)).body.items as readonly { readonly title: string }[];
    assert.equal(listed?.title, 'Harvests of 2026');
    await stage.call('deleteVideoSeries', ada, { params: { seriesId } });
    assert.equal((await play(first)).body.nextEpisodeId, null);
  });
});

describe('a revocation', () => {
  const racing = async (library: Library, revoke: (videoId: VideoId) => Promise<Answered>, videoId: VideoId) => {
    let answeredAt: number | undefined;
    const requests = Array.from({ length: 1_000 }, async (_, index) => {
      if (index === 200)
        void revoke(videoId).then(({ status }) => {
          assert.equal(status, 200);
          answeredAt = index;
        });
      for (let turns = index % 50; turns > 0; turns -= 1) await new Promise(setImmediate);
      const wasRevoked = answeredAt !== undefined;
      const { status } = await library.play(videoId, ben);
      return { wasRevoked, status };
    });
    return Promise.all(requests);
  };

  const revocations: { readonly [name: string]: (library: Library) => (videoId: VideoId) => Promise<Answered> } = {
    'of a person':
      ({ change }) =>
      (videoId) =>
        change('unshareVideo', videoId, { principalId: 'ben' }),
    'of everyone, by deletion':
      ({ change }) =>
      (videoId) =>
        change('deleteVideo', videoId),
  };
  for (const [name, revoke] of Object.entries(revocations))
    it(`${name} lets none of 1,000 requests through that come after its answer`, async () => {
      const library = await openLibrary();
      const videoId = await library.playable();
      await library.change('shareVideo', videoId, { principalId: 'ben' });
      const answers = await racing(library, revoke(library), videoId);
      const late = answers.filter(({ wasRevoked }) => wasRevoked);
      assert.ok(late.length > 0 && late.length < answers.length, `${late.length} requests came after it`);
      assert.deepEqual(
        late.filter(({ status }) => status !== 404),
        [],
      );
      assert.ok(answers.some(({ status }) => status === 200));
    });
});

describe('a licence', () => {
  const proofIn = ({ body }: Answered): string => String(body.playbackProof);

  const openProtected = async () => {
    const library = await openLibrary();
    const { stage, begun, publish, change } = library;
    const videoId = await begun();
    assert.equal((await change('changeVideoProtection', videoId, { body: { protection: 'aes128' } })).status, 200);
    const generation = { tenant: 'acme' as TenantId, videoId, generation: 1 };
    const key = expectRight(await contentKeyOf({ ...stage.deps, vault: stage.vault }, generation));
    assert.ok(key);
    await publish(videoId);
    const keyBytes = async (proof: string, identity = ada, of: string = videoId): Promise<Buffer | string> => {
      const answer = await stage.answer('getVideoKey', identity, {
        params: { videoId: of },
        query: { playback: proof },
      });
      if ('problem' in answer) return answer.problem.code;
      const chunks: Buffer[] = [];
      const { open } = answer as Extract<ByteAnswer, { open: unknown }>;
      for await (const chunk of expectRight(await open())) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks);
    };
    const clearKey = (proof: string, body: object, identity = ada) =>
      stage.call('requestVideoLicense', identity, { params: { videoId }, query: { playback: proof }, body });
    return { ...library, videoId, generation, key, keyBytes, clearKey };
  };

  it('is the key that the generation is packaged with, the same in both forms', async () => {
    const { stage, play, videoId, generation, key, keyBytes, clearKey } = await openProtected();
    const played = await play(videoId);
    const proof = proofIn(played);
    assert.equal(played.body.licenseUrl, `/api/videos/${videoId}/license?playback=${proof}`);
    assert.equal(key.bytes.length, 16);
    assert.deepEqual(await keyBytes(proof), key.bytes);
    const kid = Buffer.from(key.keyId.replaceAll('-', ''), 'hex').toString('base64url');
    assert.deepEqual((await clearKey(proof, { kids: [kid], type: 'temporary' })).body, {
      keys: [{ kty: 'oct', kid, k: key.bytes.toString('base64url') }],
      type: 'temporary',
    });
    const again = expectRight(await contentKeyOf({ ...stage.deps, vault: stage.vault }, generation));
    assert.deepEqual(again, key);
    const next = expectRight(
      await contentKeyOf({ ...stage.deps, vault: stage.vault }, { ...generation, generation: 2 }),
    );
    assert.notDeepEqual(next?.bytes, key.bytes);
  });

  it('is never left out: what was to be protected is not played in the clear, and what is published stays as it is', async () => {
    const { begun, publish, playable, change, play } = await openLibrary();
    const protect = { body: { protection: 'aes128' } };
    const videoId = await begun();
    await change('changeVideoProtection', videoId, protect);
    await publish(videoId);
    assert.deepEqual(codeOf(await play(videoId)), [409, 'not-playable']);
    assert.deepEqual(codeOf(await change('changeVideoProtection', await playable('k-2'), protect)), [
      409,
      'protection-fixed',
    ]);
  });

  it('is refused for another video, key, viewer, device, or system, and for a changed or ended proof', async () => {
    const { stage, play, playable, show, videoId, keyBytes, clearKey } = await openProtected();
    await show(videoId, 'tenant');
    const proof = proofIn(await play(videoId));
    const other = await playable('k-2');
    assert.equal(await keyBytes(proof, ada, other), 'playback-unknown');
    assert.equal(await keyBytes(proof, ben), 'playback-unknown');
    assert.equal(await keyBytes(proof, { ...ada, sessionId: 'another' }), 'playback-unknown');
    assert.equal(await keyBytes(proof, foreigner), 'playback-unknown');
    assert.equal(await keyBytes(`${proof}x`), 'playback-unknown');
    assert.equal(await keyBytes(''), 'playback-unknown');
    assert.equal(await keyBytes(proofIn(await play(other)), ada, other), 'video-not-protected');
    assert.deepEqual(codeOf(await clearKey(proof, { kids: ['AAAAAAAAAAAAAAAAAAAAAA'] })), [409, 'license-key-unknown']);
    for (const system of ['widevine', 'fairplay', 'playready'])
      assert.deepEqual(codeOf(await clearKey(proof, { kids: ['A'], system })), [501, 'license-system-unavailable']);
    stage.setNow('2026-02-01T12:00:00.000Z');
    assert.equal(await keyBytes(proof), 'playback-unknown');
  });

  it('ends with the entitlement, and with access, though the proof is still good', async () => {
    const { stage, change, play, show, videoId, keyBytes } = await openProtected();
    await show(videoId, 'tenant');
    await change('changeVideoRequirement', videoId, { body: { kinds: ['rental'] } });
    const rental = { kind: 'rental', viewerId: 'ben', beginsAt: begin, endsAt: '2026-02-03T00:00:00.000Z' };
    const granted = await change('grantVideoEntitlement', videoId, { body: rental });
    const proof = proofIn(await play(videoId, ben));
    const query = { params: { videoId }, query: { playback: proof } };
    const answer = await stage.answer('getVideoKey', ben, query);
    assert.ok('headers' in answer);
    assert.equal(answer.headers?.['License-Expires'], '2026-02-01T12:00:00.000Z');
    await change('revokeVideoEntitlement', videoId, { entitlementId: granted.body.entitlementId });
    assert.equal(await keyBytes(proof, ben), 'entitlement-required');
    await show(videoId, 'private');
    assert.equal(await keyBytes(proof, ben), 'video-unknown');
  });

  it('is given without sign-in for public videos, by the proof alone', async () => {
    const { stage, playShared, show, videoId, key } = await openProtected();
    await show(videoId, 'public');
    const shared = await playShared(videoId);
    const params = { tenantId: 'acme', videoId };
    const keyFor = (proof: string) =>
      stage.answer('getSharedVideoKey', stranger, { params, query: { playback: proof } });
    const given = await keyFor(proofIn(shared));
    assert.ok('open' in given && 'length' in given && given.length === key.bytes.length);
    const own = await stage.call('getVideoPlayback', ada, { params: { videoId } });
    const misused = await keyFor(proofIn(own));
    assert.ok('problem' in misused && misused.problem.code === 'playback-unknown');
    await show(videoId, 'private');
    const late = await keyFor(proofIn(shared));
    assert.ok('problem' in late && late.problem.code === 'video-unknown');
  });

  it('is given no more once the keys are destroyed, and the vault has them no more', async () => {
    const { stage, change, play, videoId, generation, key, keyBytes } = await openProtected();
    const proof = proofIn(await play(videoId));
    assert.equal((await change('recallVideo', videoId)).status, 200);
    assert.equal(await keyBytes(proof), 'video-recalled');
    assert.deepEqual(codeOf(await play(videoId)), [409, 'video-recalled']);
    assert.notEqual(expectRight(await stage.vault.find(key.keyId, false)).bytes, null);
    const job = { tenant: 'acme', id: '1', cause: { $correlationId: 'r' }, payload: { videoId } };
    expectRight(await destroyKeys({ ...stage.deps, vault: stage.vault } as never)(job as never, {} as never));
    assert.equal(expectRight(await stage.vault.find(key.keyId, false)).bytes, null);
    const refused = await contentKeyOf({ ...stage.deps, vault: stage.vault }, generation);
    assert.equal('left' in refused && refused.left.code, 'video-recalled');
  });

  it('leaves no key in any event', async () => {
    const { stage, play, videoId, key, keyBytes } = await openProtected();
    await keyBytes(proofIn(await play(videoId)));
    const log: string[] = [];
    for await (const event of stage.store.readAll({ after: null })) log.push(JSON.stringify(event.data));
    for (const written of ['hex', 'base64', 'base64url'] as const)
      assert.ok(!log.join().includes(key.bytes.toString(written)), written);
  });
});
