/** Why a source cannot become a film. */
import { type Either, left } from 'fp-ts/Either';

export interface SourceFailure {
  readonly code:
    | 'NO_VIDEO'
    | 'UNSUPPORTED_TYPE'
    | 'UNSUPPORTED_CODEC'
    | 'CUT_OFF'
    | 'CORRUPT'
    | 'ENCRYPTED'
    | 'TOO_LONG'
    | 'TOO_LARGE'
    | 'TOO_MANY_STREAMS';
  /** A sentence for the owner. */
  readonly detail: string;
}

/** As ffmpeg or the tags of containers name them (https://mp4ra.org/registered-types/sampleentries). */
const codecTitles: Readonly<Record<string, string>> = {
  vvc: 'H.266 (VVC)',
  vvc1: 'H.266 (VVC)',
  vvi1: 'H.266 (VVC)',
  evc: 'EVC',
  evc1: 'EVC',
  apv1: 'APV',
  avs2: 'AVS2',
  avs3: 'AVS3',
  'ac-4': 'AC-4',
};

export const isCodecName = (name: string): boolean => Object.hasOwn(codecTitles, name);

/** `none` is ffmpeg's word for a codec that it does not know. */
export const unsupportedCodec = (what: 'The film' | 'A track of the film', name: string): SourceFailure => {
  const title = codecTitles[name] ?? (name === 'none' ? 'a codec that is not known here' : name);
  const detail = `${what} is encoded with ${title}, which cannot be decoded here.`;
  return { code: 'UNSUPPORTED_CODEC', detail: `${detail} Export it as H.264 with AAC and upload that.` };
};

/** Of what ffmpeg printed. */
export const missingDecoder = (errors: string): SourceFailure | undefined => {
  const [, name] = /^(?:.*\] )?Decoder \(codec ([\w-]+)\) not found for input stream/m.exec(errors) ?? [];
  return name === undefined ? undefined : unsupportedCodec('A track of the film', name);
};

export const refuseSource = (code: SourceFailure['code'], detail: string): Either<SourceFailure, never> =>
  left({ code, detail });
