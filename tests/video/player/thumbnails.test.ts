import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clockText, lengthText, spokenTime } from '../../../read-api/web/video/player/clock-text';
import { resumePosition } from '../../../read-api/web/video/player/resume-position';
import { readThumbnails, thumbnailAt } from '../../../read-api/web/video/player/thumbnails';

const base = 'https://edge.example/delivery/t/acme/v/g1/thumbnails/thumbnails.vtt';

describe('thumbnails of a film', () => {
  const text =
    'WEBVTT\r\n\r\n1\r\n00:00.000 --> 00:10.000\r\nsheet.jpg#xywh=0,0,160,90\r\n\r\nNOTE nothing\r\n\r\n01:00:10.000 --> 01:00:20.500\r\n../b.jpg#xywh=160,90,160,90\r\n\r\n00:20.000 --> 00:30.000\r\nno place\r\n';
  const thumbnails = readThumbnails(text, base);

  it('are read with their places, and addresses beside the text', () => {
    assert.equal(thumbnails.length, 2);
    const [first, second] = thumbnails;
    assert.equal(first?.url, 'https://edge.example/delivery/t/acme/v/g1/thumbnails/sheet.jpg');
    assert.deepEqual([second?.startSeconds, second?.endSeconds], [3_610, 3_620.5]);
    assert.deepEqual([second?.x, second?.y, second?.width, second?.height], [160, 90, 160, 90]);
  });

  it('are found by the time', () => {
    assert.equal(thumbnailAt(thumbnails, 3_609)?.x, 0);
    assert.equal(thumbnailAt(thumbnails, 3_610)?.x, 160);
    assert.equal(thumbnailAt([], 3), undefined);
  });

  it('never fail on other texts', () =>
    fc.assert(fc.property(fc.string(), (other) => void readThumbnails(`WEBVTT\n\n${other}`, base))));
});

describe('times of a film', () => {
  it('are short for eyes and whole for ears', () => {
    assert.deepEqual([0, 59.9, 245, 3_723].map(clockText), ['0:00', '0:59', '4:05', '1:02:03']);
    assert.deepEqual([1, 499, 10_400, 59_700].map(lengthText), ['0:01', '0:01', '0:10', '1:00']);
    assert.deepEqual([0, 61, 3_723, Number.NaN].map(spokenTime), [
      '0 seconds',
      '1 minute 1 second',
      '1 hour 2 minutes 3 seconds',
      '0 seconds',
    ]);
  });

  it('go on where the viewer left, but for the first seconds', () =>
    assert.deepEqual(
      [0, 4, 5, 90, 100, 120].map((seconds) => resumePosition(seconds, 100)),
      [0, 0, 5, 90, 0, 0],
    ));
});
