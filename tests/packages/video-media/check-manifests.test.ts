/** The checkers of manifests find what is wrong: each fault that is put into a good manifest is named. */
import assert from 'node:assert/strict';
import { dashManifestFaults, masterPlaylistFaults, mediaPlaylistFaults } from './check-manifests';

const media = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:6
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="i.mp4"
#EXTINF:6.006000,
a.m4s
#EXTINF:2.000000,
b.m4s
#EXT-X-ENDLIST
`;
const sizes = new Map([
  ['i.mp4', 9],
  ['a.m4s', 100],
  ['b.m4s', 100],
]);

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,AUDIO="audio"
360p.m3u8
`;
const playlists = new Set(['audio.m3u8', '360p.m3u8']);

const dash = `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="p" type="static" mediaPresentationDuration="PT8.002S" minBufferTime="PT2S">
<Period><AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true"><Representation id="360p" bandwidth="1" codecs="avc1.64001e">
<SegmentList timescale="10"><Initialization sourceURL="i.mp4"/><SegmentTimeline><S t="0" d="60"/><S t="60" d="20"/></SegmentTimeline>
<SegmentURL media="a.m4s"/><SegmentURL media="b.m4s"/></SegmentList></Representation></AdaptationSet></Period></MPD>
`;
const files = new Set(['a.m4s', 'b.m4s']);

describe('the checkers of manifests', () => {
  it('find nothing in good ones', () => {
    assert.deepEqual(mediaPlaylistFaults(media, sizes), []);
    assert.deepEqual(masterPlaylistFaults(master, playlists), []);
    assert.deepEqual(dashManifestFaults(dash, files), []);
  });

  const wrong = (text: string, from: string | RegExp, to: string): string => {
    const changed = text.replace(from, to);
    assert.notEqual(changed, text);
    return changed;
  };

  for (const [from, to] of [
    ['#EXTM3U\n', ''],
    ['TARGETDURATION:6', 'TARGETDURATION:5'],
    ['TARGETDURATION:6', 'TARGETDURATION:5.5'],
    ['#EXT-X-MAP:URI="i.mp4"\n', ''],
    ['i.mp4', 'j.mp4'],
    ['#EXTINF:6.006000,\n', ''],
    ['6.006000', '-1'],
    ['b.m4s', 'c.m4s'],
    ['#EXT-X-ENDLIST\n', ''],
    ['VERSION:7', 'VERSION:3'],
    ['#EXTINF:2.000000,\n', '#EXTINF:2.000000,\n#EXT-X-BYTERANGE:90@20\n'],
    ['#EXT-X-MAP', '#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x00000000000000000000000000000000\n#EXT-X-MAP'],
    ['#EXTINF:2', '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:2'],
    ['#EXTINF:2', '\n#EXTINF:2'],
  ] as const)
    it(`find in a playlist that ${JSON.stringify(from)} is ${JSON.stringify(to)}`, () =>
      assert.notDeepEqual(mediaPlaylistFaults(wrong(media, from, to), sizes), []));

  for (const [from, to] of [
    ['BANDWIDTH=900000,', ''],
    ['AVERAGE-BANDWIDTH=800000', 'AVERAGE-BANDWIDTH=950000'],
    ['avc1.64001e,mp4a.40.2', 'avc1,mp4a.40.2'],
    ['CODECS="avc1.64001e,mp4a.40.2",', ''],
    ['640x360', '640'],
    [',AUDIO="audio"', ',AUDIO="sound"'],
    ['360p.m3u8', '720p.m3u8'],
    ['URI="audio.m3u8"', 'URI="none.m3u8"'],
    ['AUTOSELECT=YES', 'AUTOSELECT=NO'],
    ['NAME="Sound",', ''],
  ] as const)
    it(`find in a master playlist that ${JSON.stringify(from)} is ${JSON.stringify(to)}`, () =>
      assert.notDeepEqual(masterPlaylistFaults(wrong(master, from, to), playlists), []));

  for (const [from, to] of [
    ['</Period>', ''],
    [' profiles="p"', ''],
    [' bandwidth="1"', ''],
    ['t="60"', 't="61"'],
    ['<SegmentURL media="b.m4s"/>', ''],
    ['b.m4s', 'c.m4s'],
    ['PT8.002S', 'PT9S'],
    ['segmentAlignment="true"', 'segmentAlignment="false"'],
    ['<Initialization sourceURL="i.mp4"/>', ''],
    ['mpd:2011', 'mpd:2012'],
  ] as const)
    it(`find in a DASH manifest that ${JSON.stringify(from)} is ${JSON.stringify(to)}`, () =>
      assert.notDeepEqual(dashManifestFaults(wrong(dash, from, to), files), []));
});
