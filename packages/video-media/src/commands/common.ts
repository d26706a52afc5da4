/** Options that all commands of ffmpeg share. */

export const quietly: readonly string[] = ['-nostdin', '-v', 'error', '-y'];

/** To standard output, for `progressReader`. */
export const reported: readonly string[] = ['-nostats', '-stats_period', '1', '-progress', 'pipe:1'];

/** The tags of a source are not copied to what is made of it. */
const withoutTags: readonly string[] = ['-map_metadata', '-1', '-map_chapters', '-1'];

/**
 * A fragmented MP4 of one track with exact times, below zero as well: `-copyts` must stand before the input.
 * Without `delay_moov` there is no edit list.
 */
export const fragmented = (kind: 'video' | 'audio'): readonly string[] => [
  ...['-avoid_negative_ts', 'disabled', ...withoutTags],
  '-movflags',
  `empty_moov+default_base_moof+frag_discont${kind === 'video' ? '+frag_keyframe+negative_cts_offsets' : ''}`,
  ...(kind === 'video' ? [] : ['-frag_duration', '2000000']),
  ...['-f', 'mp4'],
];
