/** DASH by dash.js, with the controller of the player in place of its own rules. */
import {
  type FragmentLoadingCompletedEvent,
  type FragmentRequest,
  MediaPlayer,
  type MediaPlayerErrorEvent,
  type QualityChangeRenderedEvent,
  type Representation,
  type RulesContext,
} from 'dashjs';
import { type AbrState, abrRules, afterSegment, chooseVariant, initialAbrState } from '../abr/controller';
import { secondsAhead } from '../media';
import { qualityName } from '../quality-name';
import { automatic, type Engine, type EngineOptions, faultOfStatus, type PlaybackFault } from './engine';

/** Until now: the event comes as soon as the segment is there. */
const speedOf = ({ startDate }: FragmentRequest, { byteLength }: ArrayBuffer): number =>
  (byteLength * 8_000) / Math.max(1, Date.now() - startDate.getTime());

/** `CAPABILITY_MEDIASOURCE_ERROR_CODE`. */
const noMediaSource = 23;

/** From `MEDIA_KEYERR_CODE` on: keys, key systems and licences. */
const firstProtectionError = 100;

const faultOf = ({ error: { code, data } }: MediaPlayerErrorEvent): PlaybackFault => {
  if (code >= firstProtectionError) return 'protected';
  const response: unknown = data instanceof Object ? Reflect.get(data, 'response') : undefined;
  const status: unknown = response instanceof Object ? Reflect.get(response, 'status') : undefined;
  if (typeof status === 'number') return faultOfStatus(status);
  return code === noMediaSource ? 'unsupported' : 'unreachable';
};

/** `SwitchRequest.PRIORITY.DEFAULT` of dash.js. */
const usualPriority = 0.5;

/** A rule as dash.js makes and calls them; null changes nothing. */
const ruleOf = (choose: () => Representation | null) => () => ({
  create: () => ({
    getClassName: () => 'SpecifiedRule',
    getSwitchRequest: ({ getMediaType }: Pick<RulesContext, 'getMediaType'>) => ({
      representation: getMediaType() === 'video' ? choose() : null,
      priority: usualPriority,
      reason: null,
      rule: 'SpecifiedRule',
    }),
    reset: () => undefined,
  }),
});

const inactiveRules = Object.fromEntries(
  [
    ...['throughputRule', 'bolaRule', 'insufficientBufferRule', 'switchHistoryRule', 'droppedFramesRule'],
    ...['abandonRequestsRule', 'l2ARule', 'loLPRule'],
  ].map((name) => [name, { active: false }]),
);

const wholeAddress = (address: string): string => new URL(address, location.href).href;

export const openDashEngine = ({ video, dashUrl, licenseUrl, startSeconds, listener }: EngineOptions): Engine => {
  const player = MediaPlayer().create();
  // It reads whole addresses only.
  const address = wholeAddress(dashUrl);
  // In place of the licence that the manifest names: only playback knows where a viewer gets it.
  if (licenseUrl !== null)
    player.setProtectionData({
      'org.w3.clearkey': {
        serverURL: wholeAddress(licenseUrl),
        // As all commands of the console: the gateway refuses those of foreign pages.
        httpRequestHeaders: { 'Content-Type': 'application/json', 'septet-console': '1' },
      },
    });
  let state: AbrState = initialAbrState;
  let segmentSeconds = 6;
  const videos = (): readonly Representation[] => player.getRepresentationsByType('video');
  const choose = (): Representation | null => {
    const all = videos();
    const rate = video.playbackRate || 1;
    const sound = player.getCurrentRepresentationForType('audio')?.bandwidth ?? 0;
    const bitRates = all.map(({ bandwidth }) => (bandwidth + sound) * rate);
    return all[chooseVariant(state, { bitRates, bufferSeconds: secondsAhead(video) / rate, segmentSeconds })] ?? null;
  };

  player.updateSettings({
    // Faults come as events; as errors it also writes what it tries first.
    debug: { logLevel: 0 },
    streaming: {
      buffer: {
        bufferTimeDefault: abrRules.bufferTargetSeconds,
        bufferTimeAtTopQuality: abrRules.bufferTargetSeconds,
        bufferTimeAtTopQualityLongForm: abrRules.bufferTargetSeconds,
        // What is loaded stays.
        fastSwitchEnabled: false,
      },
      abr: { autoSwitchBitrate: { audio: false }, rules: inactiveRules },
    },
  });
  player.addABRCustomRule('qualitySwitchRules', 'SpecifiedRule', ruleOf(choose));
  player.on(MediaPlayer.events.STREAM_INITIALIZED, () => listener.onQualities(videos().map(qualityName)));
  player.on(
    MediaPlayer.events.QUALITY_CHANGE_RENDERED,
    ({ mediaType, newRepresentation }: QualityChangeRenderedEvent) => {
      if (mediaType === 'video') listener.onQuality(qualityName(newRepresentation));
    },
  );
  player.on(MediaPlayer.events.FRAGMENT_LOADING_COMPLETED, ({ request, response }: FragmentLoadingCompletedEvent) => {
    if (request.mediaType !== 'video' || request.type !== 'MediaSegment') return;
    segmentSeconds = request.duration;
    const variant = videos().findIndex(({ id }) => id === request.representationId);
    const bufferSeconds = (secondsAhead(video) + segmentSeconds) / (video.playbackRate || 1);
    state = afterSegment(state, { variant: Math.max(0, variant), speed: speedOf(request, response), bufferSeconds });
  });
  player.on(MediaPlayer.events.ERROR, (event: MediaPlayerErrorEvent) => listener.onFault(faultOf(event)));
  player.initialize(video, address, false, startSeconds);
  return {
    choose: (quality) => {
      player.updateSettings({ streaming: { abr: { autoSwitchBitrate: { video: quality === automatic } } } });
      const index = videos().findIndex((one) => qualityName(one) === quality);
      if (index >= 0) player.setRepresentationForTypeByIndex('video', index, true);
    },
    resume: () => player.attachSource(address, video.currentTime),
    close: () => player.destroy(),
  };
};
