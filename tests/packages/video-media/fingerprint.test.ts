/** Blocked sound is found in a film however it is cut, shifted, encoded again or covered by noise; other sound, and silence, is not. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Fingerprint,
  type FingerprintMatch,
  fingerprintArguments,
  matchFingerprints,
  readFingerprint,
} from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { makeFilm, run, sourceFile } from './made-films';

const sampleRate = 11_025;

/** Chords of a seeded melody. */
const melody = (seed: number, seconds: number): Int16Array => {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const steps = [0, 2, 4, 5, 7, 9, 11];
  const samples = new Int16Array(sampleRate * seconds);
  for (let start = 0; start < samples.length; ) {
    const end = Math.min(samples.length, start + Math.floor((0.2 + 0.4 * random()) * sampleRate));
    const notes = [0, 1, 2].map(
      () => 220 * 2 ** (((steps[Math.floor(random() * 7)] ?? 0) + 12 * Math.floor(random() * 3)) / 12),
    );
    for (let at = start; at < end; at++) {
      let value = 0;
      for (const note of notes)
        for (let overtone = 1; overtone < 4; overtone++)
          value += Math.sin((2 * Math.PI * note * overtone * at) / sampleRate) / overtone;
      samples[at] = 2_500 * value * Math.exp((-3 * (at - start)) / sampleRate);
    }
    start = end;
  }
  return samples;
};

const speech = ['0870', '0880', '0930'].map((name) =>
  join(__dirname, `../file-readers/files/speech/sense-and-sensibility-${name}.wav`),
);

describe('the fingerprint of sound', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('fingerprints');
  const file = (name: string): string => join(directory, name);
  const make = (name: string, ...args: readonly string[]): string => makeFilm(file(name), args);
  const recorded = (name: string, samples: Int16Array): string => {
    writeFileSync(file(`${name}.raw`), Buffer.from(samples.buffer));
    return make(`${name}.wav`, '-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', file(`${name}.raw`));
  };
  const printOf = (path: string): Fingerprint => {
    const output = file('fingerprint');
    run('ffmpeg', fingerprintArguments({ source: sourceFile(path), audio: { index: 0 }, output }));
    return readFingerprint(readFileSync(output));
  };

  let song: string;
  let other: string;
  let talk: string;
  let blocked: readonly Fingerprint[];
  before(() => {
    song = recorded('song', melody(1, 50));
    other = recorded('other', melody(2, 50));
    talk = make(
      'talk.wav',
      ...speech.flatMap((path) => ['-i', path]),
      '-filter_complex',
      '[0][1][2]concat=n=3:v=0:a=1',
    );
    blocked = [song, talk].map(printOf);
  });

  const only = (path: string): FingerprintMatch => {
    const matches = matchFingerprints(printOf(path), blocked);
    assert.equal(matches.length, 1, JSON.stringify(matches));
    return matches[0] as FingerprintMatch;
  };
  const noisy = (name: string, source: string, loudness: number): string =>
    make(
      ...[name, '-i', source, '-f', 'lavfi', '-i', `anoisesrc=d=60:a=${loudness}:r=${sampleRate}:seed=3`],
      ...['-filter_complex', '[0][1]amix=normalize=0:duration=first'],
    );

  it('is found in copies that were encoded again', () => {
    const copy = only(make('copy.mp4', '-i', song, '-af', 'volume=0.3,highpass=200', '-c:a', 'aac', '-b:a', '32k'));
    assert.ok(copy.index === 0 && copy.seconds > 40 && copy.errorRate < 0.1, JSON.stringify(copy));
    const spoken = only(make('spoken.mp3', '-ss', '0.06', '-i', talk, '-c:a', 'libmp3lame', '-b:a', '32k'));
    assert.ok(spoken.index === 1 && spoken.seconds > 9, JSON.stringify(spoken));
  });

  it('is found where a part of it is in a longer film', () => {
    const cut = only(
      make(
        ...['cut.wav', '-i', other, '-ss', '20', '-t', '25', '-i', song, '-i', other],
        ...['-filter_complex', '[0][1][2]concat=n=3:v=0:a=1'],
      ),
    );
    assert.equal(cut.index, 0);
    assert.ok(Math.abs(cut.filmSeconds - cut.blockedSeconds - 30) < 0.3, JSON.stringify(cut));
    assert.ok(cut.seconds > 15 && cut.seconds < 30, JSON.stringify(cut));
  });

  it('is found below noise', () => {
    assert.equal(only(noisy('noisy.wav', song, 0.1)).index, 0);
    assert.equal(only(noisy('noisy-talk.wav', talk, 0.1)).index, 1);
  });

  it('is not found in other music, other speech, or a moment of it', () => {
    for (const path of [other, recorded('third', melody(77, 50)), ...speech.slice(0, 1)])
      assert.deepEqual(matchFingerprints(printOf(path), blocked), []);
    assert.deepEqual(matchFingerprints(printOf(make('moment.wav', '-ss', '20', '-t', '8', '-i', song)), blocked), []);
  });

  it('of silence, a tone or a noise is that of no other', () => {
    const sources = ['anullsrc=d=40:r=11025', 'sine=440:d=40', 'anoisesrc=d=40:seed=1', 'anoisesrc=d=40:seed=2'];
    const prints = sources.map((source, index) => printOf(make(`plain-${index}.wav`, '-f', 'lavfi', '-i', source)));
    for (const [index, print] of prints.entries()) {
      const others = prints.filter((_, at) => at !== index);
      assert.deepEqual(matchFingerprints(print, [...others, ...blocked]), []);
    }
    assert.deepEqual(matchFingerprints(new Uint32Array(0), blocked), []);
    assert.deepEqual(matchFingerprints(blocked[0] ?? new Uint32Array(0), [new Uint32Array(0)]), []);
  });
});
