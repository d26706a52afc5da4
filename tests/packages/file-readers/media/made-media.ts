/** Recordings and films that ffmpeg makes for tests: tones, test pictures, subtitles, chapters, speech. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ffmpeg = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
};

/** What this ffmpeg was built with: some are built without a synthesiser of speech. */
export const canSpeak = (): boolean =>
  spawnSync('ffmpeg', ['-v', 'error', '-filters'], { encoding: 'utf8' }).stdout.includes(' flite ');

export const srt = `1
00:00:00,500 --> 00:00:01,750
The lease ends in June.

2
00:00:02,000 --> 00:00:03,000
<i>Three months</i> of notice.
`;

export const tone = (seconds: number): readonly string[] => ['-f', 'lavfi', '-i', `sine=440:duration=${seconds}`];
export const picture = (seconds: number, size = '64x48'): readonly string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=duration=${seconds}:size=${size}:rate=25`],
];

const chaptersFile = `;FFMETADATA1
title=Board meeting
artist=Ada
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1900
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=1900
END=4000
title=Contracts
`;

export const openMediaMaker = (directory: string) => {
  const path = (name: string): string => join(directory, name);
  const written = (name: string, content: string | Buffer): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  /** Four seconds of tone, and of pictures unless it is sound only. */
  const make = (
    name: string,
    {
      film = true,
      subtitles = false,
      chapters = false,
      more = [],
    }: {
      readonly film?: boolean;
      readonly subtitles?: boolean;
      readonly chapters?: boolean;
      readonly more?: readonly string[];
    } = {},
  ): string => {
    const inputs: string[] = [...tone(4)];
    const maps = ['-map', '0:a'];
    let count = 1;
    if (film) {
      inputs.push(...picture(4));
      maps.push('-map', `${count++}:v`);
    }
    if (subtitles) {
      inputs.push('-i', written('made.srt', srt));
      maps.push('-map', `${count++}:s`);
    }
    if (chapters) {
      inputs.push('-i', written('made.txt', chaptersFile));
      maps.push('-map_metadata', String(count), '-map_chapters', String(count));
    }
    ffmpeg(...inputs, ...maps, ...(film ? ['-c:v', 'mpeg4'] : []), ...more, path(name));
    return path(name);
  };
  return { path, written, make };
};
