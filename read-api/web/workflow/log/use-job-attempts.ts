/** A job with all its attempts, whose steps are kept after they ended. */
import { useEffect, useState } from 'preact/hooks';
import { listWorkflowJobs, nextPage, type PageRequest } from '../../../../packages/client/src/operations';
import type { JobAttempt, ListWorkflowJobsPage } from '../../../../packages/client/src/schemas';
import { type Answer, read } from '../../kernel/api-client';
import { signIns } from '../../kernel/session';

interface Wanted {
  readonly runId: string;
  readonly jobId: string;
  /** Read again when it changes. */
  readonly changes: string;
}

/** The API lists the jobs of a run, up to a thousand. */
const pageLimit = 100;

export const useJobAttempts = ({ runId, jobId, changes }: Wanted): readonly JobAttempt[] => {
  const [attempts, setAttempts] = useState<readonly JobAttempt[]>([]);
  const signedIn = signIns.value;
  useEffect(() => {
    const leaving = new AbortController();
    const load = async (): Promise<void> => {
      let request: PageRequest<ListWorkflowJobsPage> | undefined = listWorkflowJobs({ runId, limit: pageLimit });
      while (request !== undefined) {
        const answer: Answer<ListWorkflowJobsPage> = await read(request, leaving.signal);
        if (!answer.ok) return;
        const job = answer.content.items.find((one) => one.jobId === jobId);
        if (job !== undefined) return setAttempts(job.attempts);
        request = nextPage(request, answer.content);
      }
    };
    load().catch(() => undefined);
    return () => leaving.abort();
  }, [runId, jobId, changes, signedIn]);
  return attempts;
};
