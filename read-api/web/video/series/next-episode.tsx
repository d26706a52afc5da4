/** The next episode of a series: it begins by itself some seconds after this one has ended, unless the viewer cancels that. */
import { useEffect, useState } from 'preact/hooks';
import { getVideo } from '../../../../packages/client/src/operations';
import { countOf } from '../../kernel/format';
import { navigate, withQuery } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import { watchPath } from '../paths';

const waitSeconds = 8;

interface Props {
  readonly videoId: string;
  /** This one was played to its end. */
  readonly hasEnded: boolean;
}

export const NextEpisode = ({ videoId, hasEnded }: Props) => {
  const title = useResource(getVideo({ videoId })).content?.title ?? 'Next episode';
  const [seconds, setSeconds] = useState(waitSeconds);
  const [isCancelled, setCancelled] = useState(false);
  const isCounting = hasEnded && !isCancelled;
  const path = withQuery(watchPath(videoId), { autoplay: '1' });
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setSeconds((before) => before - 1), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  useEffect(() => {
    if (isCounting && seconds <= 0) navigate(path);
  }, [isCounting, seconds]);
  return (
    <section class="section next-episode" aria-label="Next episode">
      <p>
        Next: <a href={path}>{title}</a>
      </p>
      {isCounting && (
        <div class="actions">
          <span role="status">It begins soon.</span>
          <span aria-hidden="true">In {countOf(Math.max(0, seconds), 'second')}</span>
          <button type="button" class="button small" onClick={() => setCancelled(true)}>
            Cancel
          </button>
        </div>
      )}
    </section>
  );
};
