/** Until when the source of a video is stored, and the choice to keep it. */
import { useState } from 'preact/hooks';
import { getVideoSource, retainVideoSource } from '../../../packages/client/src/operations';
import type { VideoSource } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { ProblemMessage } from '../components/problem-message';
import { Timestamp } from '../components/timestamp';
import { hasScope } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { showToast } from '../kernel/toasts';
import { useCommand } from '../kernel/use-command';
import { useResource } from '../kernel/use-resource';

const State = ({ source: { isStored, isRetained, expiresAt } }: { readonly source: VideoSource }) => {
  if (!isStored) return <>The source is removed. What was made of it stays.</>;
  if (isRetained) return <>The source is kept until you choose otherwise.</>;
  if (expiresAt === null) return <>The source is kept while the video is processed: then 30 days, or 7 if it fails.</>;
  return (
    <>
      The source is removed <Timestamp at={expiresAt} />. What was made of it stays.
    </>
  );
};

export const SourceRetention = ({ videoId, status }: { readonly videoId: string; readonly status: string }) => {
  const source = useResource(getVideoSource({ videoId }), {
    everyMilliseconds: status === 'processing' ? 10_000 : 60_000,
  });
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const change = async (isRetained: boolean): Promise<void> => {
    const answer = await send(retainVideoSource({ videoId, body: { isRetained } }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast(isRetained ? 'The source is kept.' : 'The source is removed in 30 days.');
    source.reload();
  };
  return (
    <section class="section" aria-label="Source">
      <h2>Source</h2>
      <AsyncContent source={source} rows={1}>
        {(found) => (
          <>
            <p class="help" role="status">
              <State source={found} />
            </p>
            {found.isStored && hasScope('videos:write') && (
              <button type="button" class="button small" onClick={() => void change(!found.isRetained)}>
                {found.isRetained ? 'Keep it no longer' : 'Keep the source'}
              </button>
            )}
            {problem !== undefined && <ProblemMessage problem={problem} />}
          </>
        )}
      </AsyncContent>
    </section>
  );
};
