/** Checks manifests by the rules of their formats: RFC 8216 for HLS, ISO 23009-1 for DASH. Each answers its faults in sentences; none is a good manifest. */

interface Tag {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

/** RFC 8216, section 4.2: names of capitals, digits and dashes; values are numbers, hexadecimal, quoted strings, words or sizes. */
const attribute = /([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s][^",]*)(?:,|$)/y;

const attributesOf = (text: string): ReadonlyMap<string, string> | undefined => {
  const found = new Map<string, string>();
  attribute.lastIndex = 0;
  while (attribute.lastIndex < text.length) {
    const [, name = '', value = ''] = attribute.exec(text) ?? [];
    if (name === '' || found.has(name)) return undefined;
    found.set(name, value);
  }
  return found;
};

interface Line {
  readonly text: string;
  readonly number: number;
}

const linesOf = (playlist: string): readonly Line[] =>
  playlist.split('\n').map((text, index) => ({ text, number: index + 1 }));

const tagOf = ({ text, number }: Line): Tag => {
  const colon = text.indexOf(':');
  return colon < 0
    ? { name: text.slice(1), value: '', line: number }
    : { name: text.slice(1, colon), value: text.slice(colon + 1), line: number };
};

const once = [
  'EXTM3U',
  'EXT-X-VERSION',
  'EXT-X-TARGETDURATION',
  'EXT-X-MEDIA-SEQUENCE',
  'EXT-X-PLAYLIST-TYPE',
  'EXT-X-ENDLIST',
];

const commonFaults = (playlist: string): readonly string[] => {
  const names = linesOf(playlist)
    .filter(({ text }) => text.startsWith('#EXT'))
    .map((line) => tagOf(line).name);
  return [
    ...(playlist.startsWith('#EXTM3U\n') ? [] : ['The first line is not #EXTM3U.']),
    ...(playlist.endsWith('\n') && !/\r|\uFEFF/.test(playlist) ? [] : ['A line has no end of its own.']),
    ...once.filter((name) => names.filter((one) => one === name).length > 1).map((name) => `${name} stands twice.`),
    ...(/\n\n/.test(playlist) ? ['A line is empty.'] : []),
  ];
};

const number = (text: string | undefined): number =>
  text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;

/** Of a complete film. `sizes`: of the files that it may name, in bytes. */
export const mediaPlaylistFaults = (playlist: string, sizes: ReadonlyMap<string, number>): readonly string[] => {
  const faults = [...commonFaults(playlist)];
  const tags = new Map<string, string>();
  let [target, isMapped, isEncrypted] = [Number.NaN, false, false];
  let waiting: { duration: number; range: string | undefined } | undefined;
  let segments = 0;
  for (const line of linesOf(playlist)) {
    if (line.text === '') continue;
    if (!line.text.startsWith('#')) {
      const size = sizes.get(line.text);
      if (waiting === undefined) faults.push(`Line ${line.number}: a segment without EXTINF.`);
      if (size === undefined) faults.push(`Line ${line.number}: no such file.`);
      if (!isMapped) faults.push(`Line ${line.number}: fragmented MP4 without EXT-X-MAP before it.`);
      if (waiting !== undefined && Math.round(waiting.duration) > target)
        faults.push(`Line ${line.number}: longer than the target duration.`);
      const [, length = '', offset = ''] = /^(\d+)@(\d+)$/.exec(waiting?.range ?? '') ?? [];
      if (waiting?.range !== undefined && Number(length) + Number(offset) > (size ?? 0))
        faults.push(`Line ${line.number}: a range beyond the file.`);
      waiting = undefined;
      segments += 1;
      continue;
    }
    const { name, value } = tagOf(line);
    tags.set(name, value);
    if (name === 'EXT-X-TARGETDURATION') target = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (name === 'EXTINF') waiting = { duration: number(value.replace(/,$/, '')), range: waiting?.range };
    if (name === 'EXTINF' && !(number(value.replace(/,$/, '')) > 0)) faults.push(`Line ${line.number}: no duration.`);
    if (name === 'EXT-X-BYTERANGE' && waiting !== undefined) waiting.range = value;
    if (name === 'EXT-X-MAP') {
      const uri = attributesOf(value)?.get('URI');
      if (uri === undefined || !sizes.has(uri.slice(1, -1))) faults.push(`Line ${line.number}: the map has no file.`);
      // Section 4.3.2.5: a map below a key is encrypted, too.
      if (isEncrypted) faults.push(`Line ${line.number}: the map stands below a key.`);
      isMapped = true;
    }
    if (name === 'EXT-X-KEY') {
      const attributes = attributesOf(value);
      isEncrypted = attributes?.get('METHOD') !== 'NONE';
      if (attributes?.get('METHOD') === 'AES-128' && !/^0x[0-9a-f]{32}$/.test(attributes.get('IV') ?? ''))
        faults.push(`Line ${line.number}: no initialization vector.`);
      if (!/^".+"$/.test(attributes?.get('URI') ?? '')) faults.push(`Line ${line.number}: a key without an address.`);
    }
  }
  if (Number.isNaN(target)) faults.push('There is no whole target duration.');
  if (segments === 0) faults.push('There is no segment.');
  if (!tags.has('EXT-X-ENDLIST')) faults.push('A complete playlist ends with EXT-X-ENDLIST.');
  if (Number(tags.get('EXT-X-VERSION') ?? 1) < 6) faults.push('EXT-X-MAP takes version 6.');
  return faults;
};

const codecs = /^"(?:(?:avc1\.[0-9a-f]{6}|hvc1\.[\w.]+|av01\.[\w.]+|mp4a\.40\.2)(?:,(?!"))?)+"$/;

/** `playlists`: names of the playlists that it may name. */
export const masterPlaylistFaults = (playlist: string, playlists: ReadonlySet<string>): readonly string[] => {
  const faults = [...commonFaults(playlist)];
  const groups = new Set<string>();
  const lines = linesOf(playlist);
  let variants = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.text.startsWith('#EXT-X-')) continue;
    const { name, value } = tagOf(line);
    const attributes = value === '' ? new Map<string, string>() : attributesOf(value);
    if (attributes === undefined && value.includes('=')) faults.push(`Line ${line.number}: attributes that are none.`);
    const of = (key: string): string => attributes?.get(key) ?? '';
    if (name === 'EXT-X-MEDIA') {
      for (const key of ['TYPE', 'GROUP-ID', 'NAME'])
        if (of(key) === '') faults.push(`Line ${line.number}: no ${key}.`);
      if (!playlists.has(of('URI').slice(1, -1))) faults.push(`Line ${line.number}: no such playlist.`);
      if (of('DEFAULT') === 'YES' && of('AUTOSELECT') !== 'YES')
        faults.push(`Line ${line.number}: default and not selected.`);
      groups.add(of('GROUP-ID'));
    }
    if (name !== 'EXT-X-STREAM-INF' && name !== 'EXT-X-I-FRAME-STREAM-INF') continue;
    if (!/^\d+$/.test(of('BANDWIDTH'))) faults.push(`Line ${line.number}: no BANDWIDTH.`);
    if (Number(of('AVERAGE-BANDWIDTH')) > Number(of('BANDWIDTH')))
      faults.push(`Line ${line.number}: the average is above the peak.`);
    if (!codecs.test(of('CODECS'))) faults.push(`Line ${line.number}: CODECS ${of('CODECS')}.`);
    if (!/^[1-9]\d*x[1-9]\d*$/.test(of('RESOLUTION'))) faults.push(`Line ${line.number}: no RESOLUTION.`);
    if (of('AUDIO') !== '' && !groups.has(of('AUDIO'))) faults.push(`Line ${line.number}: no such group of sound.`);
    const address = name === 'EXT-X-STREAM-INF' ? (lines[index + 1]?.text ?? '') : of('URI').slice(1, -1);
    if (!playlists.has(address)) faults.push(`Line ${line.number}: no such playlist: ${address}.`);
    if (name === 'EXT-X-STREAM-INF') variants += 1;
  }
  return variants === 0 ? [...faults, 'There is no variant.'] : faults;
};

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
}

/** Of what our writer writes: elements and attributes alone. Undefined: it is not well formed. */
const parse = (text: string): Element | undefined => {
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  const rest = text
    .replace(/^<\?xml[^>]*\?>\s*/, '')
    .replaceAll(/<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g, (_, end, name, list, empty) => {
      if (end === '/') {
        if (open.pop()?.name !== name) open.length = 0;
        return '';
      }
      const attributes = new Map(
        [...String(list).matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      );
      const element: Element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      if (empty === '') open.push(element);
      return '';
    });
  const isWhole = open.length === 1 && !/[<>]/.test(rest) && root.children.length === 1;
  return isWhole ? root.children[0] : undefined;
};

const required: Readonly<Record<string, readonly string[]>> = {
  MPD: ['profiles', 'minBufferTime', 'mediaPresentationDuration', 'type'],
  AdaptationSet: ['contentType', 'mimeType', 'segmentAlignment'],
  Representation: ['id', 'bandwidth', 'codecs'],
  SegmentList: ['timescale'],
  S: ['d'],
  SegmentURL: ['media'],
  Initialization: ['sourceURL'],
};

/** The schema has sequences: what may stand below what, in this order. */
const order: Readonly<Record<string, readonly string[]>> = {
  MPD: ['Period'],
  Period: ['AdaptationSet'],
  AdaptationSet: ['ContentProtection', 'Representation'],
  Representation: ['AudioChannelConfiguration', 'SegmentList'],
  SegmentList: ['Initialization', 'SegmentTimeline', 'SegmentURL'],
  SegmentTimeline: ['S'],
  ContentProtection: ['dashif:Laurl'],
};

const below = (element: Element, name: string): readonly Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => below(child, name)),
];

const timelineOf = (representation: Element) => {
  const [list] = below(representation, 'SegmentList');
  const timescale = Number(list?.attributes.get('timescale'));
  const segments = below(representation, 'S').map(({ attributes }) => ({
    start: Number(attributes.get('t')) / timescale,
    duration: Number(attributes.get('d')) / timescale,
  }));
  return {
    segments,
    files: below(representation, 'SegmentURL').map(({ attributes }) => attributes.get('media') ?? ''),
  };
};

const structureFaults = (element: Element): readonly string[] => {
  const { name, attributes, children } = element;
  const places = children.map((child) => (order[name] ?? []).indexOf(child.name));
  return [
    ...(required[name] ?? []).filter((key) => !attributes.has(key)).map((key) => `${name} has no ${key}.`),
    ...(places.every((place, index) => place >= (places[index - 1] ?? 0))
      ? []
      : [`The children of ${name} are out of order.`]),
    ...children.flatMap(structureFaults),
  ];
};

const representationFaults = (representation: Element, files: ReadonlySet<string>): readonly string[] => {
  const { segments, files: named } = timelineOf(representation);
  const maps = below(representation, 'Initialization').length;
  const id = representation.attributes.get('id') ?? '';
  const gaps = segments.filter(({ start }, index) => {
    const before = segments[index - 1];
    return before !== undefined && Math.abs(before.start + before.duration - start) > 1e-4;
  });
  return [
    ...(maps === 1 ? [] : [`${id}: it has not one initialization segment.`]),
    ...(segments.length === named.length && named.length > 0
      ? []
      : [`${id}: its timeline has not as many segments as it names.`]),
    ...(gaps.length === 0 ? [] : [`${id}: its timeline has a gap or an overlap.`]),
    ...named.filter((name) => !files.has(name)).map((name) => `${id}: there is no ${name}.`),
  ];
};

const alignmentFaults = (set: Element): readonly string[] => {
  const starts = below(set, 'Representation').map((one) =>
    timelineOf(one)
      .segments.map(({ start }) => start.toFixed(3))
      .join(),
  );
  const isAligned = new Set(starts).size <= 1;
  return String(isAligned) === set.attributes.get('segmentAlignment')
    ? []
    : ['segmentAlignment is not as the segments are.'];
};

/** One or two milliseconds: browsers end a film where its segments end, before players that count by the manifest do. */
const isLateBy = (seconds: number): boolean => seconds > 0.000_9 && seconds < 0.002_1;

export const dashManifestFaults = (text: string, files: ReadonlySet<string>): readonly string[] => {
  const root = parse(text);
  if (root === undefined) return ['It is not well formed.'];
  const representations = below(root, 'Representation');
  const ids = representations.map(({ attributes }) => attributes.get('id'));
  const seconds = Number(/^PT([\d.]+)S$/.exec(root.attributes.get('mediaPresentationDuration') ?? '')?.[1]);
  const ends = representations.map((one) => {
    const last = timelineOf(one).segments.at(-1);
    return last === undefined ? 0 : last.start + last.duration;
  });
  return [
    ...(root.name === 'MPD' && root.attributes.get('xmlns') === 'urn:mpeg:dash:schema:mpd:2011'
      ? []
      : ['It is no MPD.']),
    ...structureFaults(root),
    ...(new Set(ids).size === ids.length ? [] : ['Two representations have one id.']),
    ...representations.flatMap((one) => representationFaults(one, files)),
    ...below(root, 'AdaptationSet').flatMap(alignmentFaults),
    ...(isLateBy(seconds - Math.max(...ends))
      ? []
      : ['It is not as long as its longest representation, and a little.']),
  ];
};
