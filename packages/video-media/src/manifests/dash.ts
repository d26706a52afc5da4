/** Writes a DASH manifest (ISO 23009-1) of a film that is complete. */
import type { PackagedTrack } from '../mp4/package-track';
import { longestSegmentSeconds, measureBitRates } from './bit-rates';
import { type Presentation, type PresentedVideo, trackSeconds } from './presentation';

const escaped = (text: string | number): string =>
  String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

type Attributes = Readonly<Record<string, string | number>>;

const element = (name: string, attributes: Attributes, children: readonly string[] = []): string => {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const open = `<${name}${listed.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>\n${children.join('\n')}\n</${name}>`;
};

const duration = (seconds: number): string => `PT${seconds.toFixed(6)}S`;

/**
 * A list with a timeline, as segments have names of no pattern and not all one length. One `S` for each: of segments that `r` repeats dash.js 5.2
 * loads the first one again and again.
 */
const segmentList = (track: PackagedTrack, segmentPath: string): string =>
  element('SegmentList', { timescale: track.timescale }, [
    element('Initialization', { sourceURL: segmentPath + track.init.name }),
    element(
      'SegmentTimeline',
      {},
      track.segments.map(({ startTicks, durationTicks }) => element('S', { t: startTicks, d: durationTicks })),
    ),
    ...track.segments.map(({ name }) => element('SegmentURL', { media: segmentPath + name })),
  ]);

/** A rendition that is the source itself is cut at the source's keyframes, and not where encoded ones are. */
const areAligned = (videos: readonly PresentedVideo[]): boolean => {
  const starts = videos.map(({ track: { segments, timescale } }) =>
    segments.map(({ startTicks }) => Math.round((startTicks / timescale) * 1_000)).join(),
  );
  return new Set(starts).size <= 1;
};

const rateOf = ({ frameRate: { numerator, denominator } }: PresentedVideo): string =>
  denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;

const videoRepresentation = (video: PresentedVideo, segmentPath: string): string => {
  const { label, track } = video;
  const { codec: codecs, width, height } = track;
  const bandwidth = measureBitRates(track).peak;
  return element(
    'Representation',
    { id: label, bandwidth, codecs, width, height, frameRate: rateOf(video), sar: '1:1' },
    [segmentList(track, segmentPath)],
  );
};

/** Of tracks that `encryptSamples` encrypted. */
interface SampleProtection {
  /** 32 hexadecimal digits. */
  readonly keyId: string;
  readonly licenseUrl: string;
}

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase();

/** ISO 23001-7, section 11.2, and the W3C's ClearKey. */
const protectionElements = (protection: SampleProtection | undefined): readonly string[] => {
  if (protection === undefined) return [];
  const scheme = { schemeIdUri: 'urn:mpeg:dash:mp4protection:2011', value: 'cenc' };
  const clearKey = { schemeIdUri: 'urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e', value: 'ClearKey1.0' };
  return [
    element('ContentProtection', { ...scheme, 'cenc:default_KID': uuid(protection.keyId) }),
    element('ContentProtection', clearKey, [
      `<dashif:Laurl licenseType="EME-1.0">${escaped(protection.licenseUrl)}</dashif:Laurl>`,
    ]),
  ];
};

const audioSet = ({ audio, segmentPath }: Presentation, protection?: SampleProtection): readonly string[] => {
  if (audio === null) return [];
  const { label, language, track } = audio;
  const channels = element('AudioChannelConfiguration', {
    schemeIdUri: 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011',
    value: track.channels,
  });
  return [
    element(
      'AdaptationSet',
      {
        ...{ id: 2, contentType: 'audio', mimeType: 'audio/mp4', segmentAlignment: 'true', startWithSAP: 1 },
        ...(language === null ? {} : { lang: language }),
      },
      [
        ...protectionElements(protection),
        element('Representation', { id: label, bandwidth: measureBitRates(track).peak, codecs: track.codec }, [
          channels,
          segmentList(track, segmentPath),
        ]),
      ],
    ),
  ];
};

/** As players prefer them: the fewest bytes first. */
const families: readonly (readonly [name: RegExp, priority: number])[] = [
  [/^av01\./, 3],
  [/^h(?:vc|ev)1\./, 2],
  [/^avc[13]\./, 1],
];

const priorityOf = ({ track: { codec } }: PresentedVideo): number =>
  families.find(([name]) => name.test(codec))?.[1] ?? 1;

/** Players switch within a set, so each codec has its own. */
const videoSets = ({ videos, segmentPath }: Presentation, protection?: SampleProtection): readonly string[] => {
  const priorities = [...new Set(videos.map(priorityOf))].sort((one, other) => one - other);
  return priorities.map((priority, index) => {
    const ofCodec = videos.filter((video) => priorityOf(video) === priority);
    return element(
      'AdaptationSet',
      {
        // 2 is the sound's.
        ...{ id: index === 0 ? 1 : index + 2, contentType: 'video', mimeType: 'video/mp4', startWithSAP: 1 },
        segmentAlignment: String(areAligned(ofCodec)),
        ...(priorities.length === 1 ? {} : { selectionPriority: priority }),
      },
      [...protectionElements(protection), ...ofCodec.map((video) => videoRepresentation(video, segmentPath))],
    );
  });
};
/**
 * The film's end, a little late: at the very end dash.js 5.2 may pause and seek before the browser fires `ended`, which never comes then. The browser
 * ends the film where its segments do.
 */
const presentedSeconds = (seconds: number): number => (Math.floor(seconds * 1_000) + 2) / 1_000;

export const dashManifest = (presentation: Presentation, protection?: SampleProtection): string => {
  const { videos, audio } = presentation;
  const tracks = [...videos.map(({ track }) => track), ...(audio === null ? [] : [audio.track])];
  const seconds = presentedSeconds(Math.max(...tracks.map(trackSeconds)));
  const longest = Math.max(...tracks.map(longestSegmentSeconds));
  const root = element(
    'MPD',
    {
      xmlns: 'urn:mpeg:dash:schema:mpd:2011',
      ...(protection === undefined
        ? {}
        : { 'xmlns:cenc': 'urn:mpeg:cenc:2013', 'xmlns:dashif': 'https://dashif.org/CPS' }),
      profiles: 'urn:mpeg:dash:profile:full:2011',
      type: 'static',
      mediaPresentationDuration: duration(seconds),
      maxSegmentDuration: duration(longest),
      minBufferTime: duration(Math.min(longest, 2)),
    },
    [
      element('Period', { id: 0, start: 'PT0S', duration: duration(seconds) }, [
        ...videoSets(presentation, protection),
        ...audioSet(presentation, protection),
      ]),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
};
