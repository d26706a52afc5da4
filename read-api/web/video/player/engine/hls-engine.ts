/** HLS by hls.js. Its workers stay off: segments are fragmented MP4, which need no conversion. */
import Hls, { type ErrorData } from 'hls.js';
import { abrRules } from '../abr/controller';
import { HlsController } from '../abr/hls-controller';
import { otherVariants } from '../codecs';
import { qualityName } from '../quality-name';
import { automatic, type Engine, type EngineOptions, faultOfStatus, type PlaybackFault } from './engine';

const faultOf = ({ type, details, response }: ErrorData): PlaybackFault => {
  if (type === Hls.ErrorTypes.KEY_SYSTEM_ERROR || details.startsWith('key') || details === 'fragDecryptError')
    return 'protected';
  if (type === Hls.ErrorTypes.NETWORK_ERROR && details !== 'manifestParsingError') return faultOfStatus(response?.code);
  return details === 'manifestIncompatibleCodecsError' || details === 'bufferIncompatibleCodecsError'
    ? 'unsupported'
    : 'undecodable';
};

/** What playlists of protected videos name: only playback knows where a viewer gets the key. */
const keyName = '/license.key';

export const openHlsEngine = ({ video, manifestUrl, licenseUrl, startSeconds, listener }: EngineOptions): Engine => {
  const hls = new Hls({
    abrController: HlsController as never,
    enableWorker: false,
    xhrSetup: (request, url) => {
      if (licenseUrl !== null && url.endsWith(keyName)) request.open('GET', licenseUrl, true);
    },
    maxBufferLength: abrRules.bufferTargetSeconds,
    maxMaxBufferLength: abrRules.bufferTargetSeconds,
    backBufferLength: abrRules.bufferTargetSeconds,
    startPosition: startSeconds,
    testBandwidth: false,
    lowLatencyMode: false,
    enableCEA708Captions: false,
    enableWebVTT: false,
    enableIMSC1: false,
  });
  let names: readonly string[] = [];
  let hasRecovered = false;
  const showLevels = (): void => {
    names = hls.levels.map(qualityName);
    listener.onQualities(names);
  };
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    // From the last on, as the others move up.
    const others = otherVariants(hls.levels.map(({ videoCodec }) => videoCodec ?? ''));
    for (const level of others.toReversed()) hls.removeLevel(level);
    showLevels();
  });
  hls.on(Hls.Events.LEVELS_UPDATED, showLevels);
  hls.on(Hls.Events.LEVEL_SWITCHED, (_, { level }) => listener.onQuality(names[level] ?? ''));
  hls.on(Hls.Events.ERROR, (_, error) => {
    const fault = faultOf(error);
    // Refused addresses stay refused, whichever level hls.js tries next.
    if (!error.fatal && fault !== 'expired') return;
    // Decoders fail now and then, as when another program takes the graphics card; once is no fault of the film.
    if (fault === 'undecodable' && error.type === Hls.ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true;
      hls.recoverMediaError();
      return;
    }
    listener.onFault(fault);
  });
  const load = (): void => {
    hls.loadSource(manifestUrl);
    hls.attachMedia(video);
  };
  load();
  return {
    choose: (quality) => {
      // From the next segment on: what is on the screen plays on.
      hls.nextLevel = quality === automatic ? -1 : names.indexOf(quality);
    },
    resume: () => {
      if (names.length === 0) load();
      else hls.startLoad();
    },
    close: () => hls.destroy(),
  };
};
