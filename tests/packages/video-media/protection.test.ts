/** Protected films: the same pictures and sounds with the key, none without, and manifests that name what players need. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as HLS from 'hls-parser';
import {
  dashManifest,
  encryptSamples,
  encryptWholeSegments,
  fraction,
  mediaPlaylist,
  type PackagedTrack,
} from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { h264, joined, makeFilm, moving, orFail, packageRemuxed, run, tone } from './made-films';
import { mpd } from './untyped-parsers';

const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const keyId = Buffer.from('a0a1a2a3a4a5a6a7a8a9aaabacadaeaf', 'hex');

describe('a protected film', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('protected-films');
  const files = (place: string) => ({
    read: async (name: string) => readFileSync(join(place, name)),
    store: async (name: string, bytes: Buffer) => writeFileSync(join(place, name), bytes),
  });
  let tracks: readonly PackagedTrack[];
  before(async () => {
    const film = makeFilm(join(directory, 'film.mp4'), [
      ...[...moving(14, '320x180'), ...tone(14), ...h264(50), '-crf', '18', '-c:a', 'aac'],
    ]);
    const { video, audio } = orFail(await packageRemuxed(film, directory));
    assert.ok(audio);
    tracks = [video, audio];
  });

  const hashesIn = (output: string): readonly string[] =>
    output
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(',').at(-1)?.trim() ?? '');

  const hashing = ['-f', 'framehash', '-hash', 'md5', '-'];

  /** Of each frame that is decoded. */
  const hashes = (path: string, ...options: readonly string[]): readonly string[] =>
    hashesIn(run('ffmpeg', ['-nostdin', '-v', 'error', ...options, '-i', path, ...hashing]));

  /** From a pipe: of a file that it can seek in, ffmpeg loses track of which fragment a sample's vector is from. */
  const decrypted = (path: string, ...options: readonly string[]): readonly string[] => {
    const args = ['-v', 'quiet', ...options, '-f', 'mov', '-i', 'pipe:0', ...hashing];
    return hashesIn(spawnSync('ffmpeg', args, { input: readFileSync(path), encoding: 'utf8' }).stdout);
  };

  it('has samples that the key alone makes readable', async () => {
    for (const track of tracks) {
      const sealed = orFail(await encryptSamples({ track, ...files(directory) }, { keyId, key }));
      const again = orFail(await encryptSamples({ track, ...files(directory) }, { keyId, key }));
      assert.deepEqual(again, sealed);
      const [clear, path] = [joined(track, directory, 'clear.mp4'), joined(sealed, directory, 'sealed.mp4')];
      assert.deepEqual(decrypted(path, '-decryption_key', key.toString('hex')), hashes(clear));
      assert.notDeepEqual(decrypted(path), hashes(clear));
      assert.ok(sealed.segments.every(({ name }, index) => name !== track.segments[index]?.name));
    }
  });

  it('has segments for HLS that are encrypted as a whole', async () => {
    const place = join(directory, 'hls');
    mkdirSync(place);
    writeFileSync(join(place, 'key'), key);
    for (const track of tracks) {
      const read = files(directory).read;
      const encrypted = orFail(await encryptWholeSegments({ track, read, store: files(place).store }, key));
      const { initializationVectors } = encrypted;
      assert.equal(new Set(initializationVectors).size, track.segments.length);
      const text = mediaPlaylist(encrypted.track, '', { keyUri: 'key', initializationVectors });
      writeFileSync(join(place, 'playlist.m3u8'), text);
      const parsed = HLS.parse(text);
      assert.ok(!parsed.isMasterPlaylist);
      assert.deepEqual(
        parsed.segments.map(({ key: named }) => named?.method),
        track.segments.map(() => 'AES-128'),
      );
      const options = ['-allowed_extensions', 'ALL', '-protocol_whitelist', 'file,crypto'];
      assert.deepEqual(hashes(join(place, 'playlist.m3u8'), ...options), hashes(joined(track, directory, 'clear.mp4')));
    }
  });

  it('has a manifest that names the key and where its licence is', async () => {
    const [video, audio] = tracks;
    assert.ok(video !== undefined && audio !== undefined);
    const presentation = {
      videos: [{ label: '360p', frameRate: fraction(25), track: video }],
      audio: { label: 'audio', language: 'en', name: 'English', track: audio },
      segmentPath: 'seg/',
    };
    const licenseUrl = 'https://video.example/licence?a=1&b=2';
    const text = dashManifest(presentation, { keyId: keyId.toString('hex'), licenseUrl });
    assert.equal(text.match(/cenc:default_KID="a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf"/g)?.length, 2);
    assert.ok(
      text.includes('<dashif:Laurl licenseType="EME-1.0">https://video.example/licence?a=1&#38;b=2</dashif:Laurl>'),
    );
    assert.equal(mpd.parse(text, { manifestUri: 'https://video.example/' }).playlists[0]?.segments.length, 2);
    assert.ok(!dashManifest(presentation).includes('ContentProtection'));
  });

  it('is refused for what is no key, and for codecs whose pictures have no slices', async () => {
    const [track] = tracks;
    assert.ok(track);
    const source = { track, ...files(directory) };
    assert.ok(isLeft(await encryptWholeSegments(source, key.subarray(1))));
    assert.ok(isLeft(await encryptSamples(source, { keyId, key: Buffer.alloc(0) })));
    const av1 = { ...source, track: { ...track, codec: 'av01.0.00M.08' } };
    assert.ok(isLeft(await encryptSamples(av1, { keyId, key })));
  });
});
