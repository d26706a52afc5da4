/** Of a media element. */

/** A gap that browsers play across. */
const gapSeconds = 0.1;

/** What can be played from the current position without another segment, of picture and sound. */
export const secondsAhead = ({ buffered, currentTime }: HTMLMediaElement): number => {
  let end = currentTime;
  for (let index = 0; index < buffered.length; index += 1)
    if (buffered.start(index) <= end + gapSeconds && buffered.end(index) > end) end = buffered.end(index);
  return end - currentTime;
};
