/** One track of a fragmented MP4: its headers, and where its samples are. */

export interface Sample {
  /** In the file. */
  readonly offset: number;
  readonly size: number;
  /** Times in ticks of the track's timescale. */
  readonly decodeTime: number;
  readonly duration: number;
  /** Presentation time less decode time; may be negative. */
  readonly compositionOffset: number;
  readonly isSync: boolean;
}

export interface Track {
  readonly kind: 'video' | 'audio';
  readonly trackId: number;
  readonly timescale: number;
  readonly codec: string;
  /** Zero for sound. */
  readonly width: number;
  readonly height: number;
  /** Zero for pictures. */
  readonly channels: number;
  /** Content of its `moov`. */
  readonly movie: Buffer;
  /** In order of decoding. */
  readonly samples: readonly Sample[];
}

export const presentationTime = ({ decodeTime, compositionOffset }: Sample): number => decodeTime + compositionOffset;
