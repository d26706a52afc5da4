/** Media types of uploads: what a file is, its content decides later, so that no common name of a type that is read is refused. */
import assert from 'node:assert/strict';
import { isSupportedType } from '../../commands/files/uploads/supported-types';

describe('media types of uploads', () => {
  it('of subtitles are taken by each name that programs have for them', () => {
    for (const type of ['text/vtt', 'text/srt', 'application/x-subrip', 'Application/X-SubRip', 'text/plain'])
      assert.equal(isSupportedType(type), true, type);
  });

  it('of archives and programs are not taken', () => {
    for (const type of ['application/zip', 'application/gzip', 'application/x-msdownload', 'application/x-executable'])
      assert.equal(isSupportedType(type), false, type);
  });
});
