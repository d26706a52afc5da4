/** Names of codecs as manifests and browsers take them (RFC 6381), from the sample entry of a track. */
import { childOf, readBoxes } from './boxes';

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** ISO 14496-15, section 5: profile, its constraints, level. */
const avcName = (entry: string, config: Buffer): string | undefined =>
  config.length < 4
    ? undefined
    : `${entry}.${[config[1], config[2], config[3]].map((value = 0) => hex(value)).join('')}`;

const reversedBits = (value: number): number => {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) if ((value >>> bit) & 1) reversed += 2 ** (31 - bit);
  return reversed;
};

/** ISO 14496-15, annex E.3. */
const hevcName = (entry: string, config: Buffer): string | undefined => {
  if (config.length < 13) return undefined;
  const first = config[1] ?? 0;
  const space = ['', 'A', 'B', 'C'][first >> 6] ?? '';
  const tier = (first >> 5) & 1 ? 'H' : 'L';
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const compatibility = reversedBits(config.readUInt32BE(2)).toString(16);
  const parts = [entry, `${space}${first & 31}`, compatibility, `${tier}${config[12] ?? 0}`];
  return [...parts, ...constraints.map((value) => value.toString(16))].join('.');
};

/** AV1 in ISO base media, section 5. */
const av1Name = (config: Buffer): string | undefined => {
  if (config.length < 4) return undefined;
  const [second = 0, third = 0] = [config[1], config[2]];
  const isTwelve = (third & 0x20) !== 0;
  const depth = (third & 0x40) === 0 ? '08' : isTwelve ? '12' : '10';
  const level = String(second & 31).padStart(2, '0');
  return `av01.${second >> 5}.${level}${(third & 0x80) === 0 ? 'M' : 'H'}.${depth}`;
};

/** Lengths of descriptors have 7 bits a byte, ISO 14496-1, section 8.3.3. */
const descriptorContent = (bytes: Buffer, tag: number): Buffer | undefined => {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const found = bytes[at];
    let [length, cursor] = [0, at + 1];
    for (; cursor < bytes.length; cursor++) {
      length = length * 128 + ((bytes[cursor] ?? 0) & 127);
      if (((bytes[cursor] ?? 0) & 128) === 0) break;
    }
    const content = bytes.subarray(cursor + 1, cursor + 1 + length);
    if (found === tag) return content;
    at = cursor + 1 + length;
  }
  return undefined;
};

/** The type of the decoder, and its AudioSpecificConfig (ISO 14496-3, section 1.6.2.1). */
const aacDecoder = (esds: Buffer): { readonly type: number; readonly specific: Buffer } | undefined => {
  const decoder = descriptorContent(descriptorContent(esds.subarray(4), 3)?.subarray(3) ?? Buffer.alloc(0), 4);
  const type = decoder?.[0];
  if (decoder === undefined || type === undefined) return undefined;
  return { type, specific: descriptorContent(decoder.subarray(13), 5) ?? Buffer.alloc(0) };
};

const aacName = (esds: Buffer): string | undefined => {
  const decoder = aacDecoder(esds);
  if (decoder === undefined) return undefined;
  const { type, specific } = decoder;
  if (type !== 0x40 || specific.length < 2) return `mp4a.${hex(type)}`;
  const object = (specific[0] ?? 0) >> 3;
  const extended = object === 31 ? 32 + (((specific[0] ?? 0) & 7) << 3) + ((specific[1] ?? 0) >> 5) : object;
  return `mp4a.40.${extended}`;
};

/** Bytes of a sample entry before its boxes. */
const headerOf = { video: 78, audio: 28 } as const;

/** `sampleDescriptions`: the content of `stsd`. Undefined: the codec is not one that films are packaged with. */
export const codecString = (sampleDescriptions: Buffer): string | undefined => {
  const entry = readBoxes(sampleDescriptions.subarray(8))[0];
  if (entry === undefined) return undefined;
  const within = (kind: keyof typeof headerOf, name: string): Buffer =>
    childOf(entry.content.subarray(headerOf[kind]), name) ?? Buffer.alloc(0);
  switch (entry.type) {
    case 'avc1':
    case 'avc3':
      return avcName(entry.type, within('video', 'avcC'));
    case 'hvc1':
    case 'hev1':
      return hevcName(entry.type, within('video', 'hvcC'));
    case 'av01':
      return av1Name(within('video', 'av1C'));
    case 'mp4a':
      return aacName(within('audio', 'esds'));
    default:
      return undefined;
  }
};

/** Channels by their configuration in AAC: 7 is 7.1. */
const channelsOfConfiguration = [0, 1, 2, 3, 4, 5, 6, 8] as const;

/** ffmpeg's sample entries name 2 channels for mono as well, so AAC's own configuration is read. */
export const audioChannels = (sampleDescriptions: Buffer): number => {
  const entry = readBoxes(sampleDescriptions.subarray(8))[0];
  if (entry === undefined) return 0;
  const named = entry.content.readUInt16BE(16);
  const esds = childOf(entry.content.subarray(headerOf.audio), 'esds');
  const specific = esds === undefined ? undefined : aacDecoder(esds)?.specific;
  if (specific === undefined || specific.length < 2 || (specific[0] ?? 0) >> 3 === 31) return named;
  // An explicit sampling rate would stand before the configuration.
  const hasRate = ((specific.readUInt16BE(0) >> 7) & 15) === 15;
  const configuration = (specific.readUInt16BE(0) >> 3) & 15;
  return hasRate ? named : (channelsOfConfiguration[configuration] ?? 0) || named;
};
