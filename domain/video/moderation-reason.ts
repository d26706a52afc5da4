/** Why an administrator decided on a video or on reports about it. */
import { text } from '../kernel/codec';

export const ModerationReason = text('VideoModerationReason', {
  content: 'lines',
  maxLength: 500,
  examples: ['The licence of the song is valid until 2027.'],
});
