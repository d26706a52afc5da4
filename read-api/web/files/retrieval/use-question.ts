/** The answer to a question that is too long for an address. Sent again when the question changes. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { CommandRequest } from '../../../../packages/client/src/operations';
import { keyOf, sendQuestion } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { signIns } from '../../kernel/session';
import type { Resource } from '../../kernel/use-resource';

interface State<Content> {
  readonly key: string;
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
}

/** Undefined: there is no question. The answer to another question is not shown. */
export const useQuestion = <Content>(request: CommandRequest<Content> | undefined): Resource<Content> => {
  const key = request === undefined ? '' : keyOf(request);
  const [state, setState] = useState<State<Content>>({ key, content: undefined, problem: undefined });
  const [repeats, setRepeats] = useState(0);
  const reload = useCallback(() => setRepeats((count) => count + 1), []);
  const signedIn = signIns.value;
  useEffect(() => {
    if (request === undefined) return undefined;
    const leaving = new AbortController();
    sendQuestion(request, leaving.signal).then(
      (answer) =>
        setState(
          answer.ok
            ? { key, content: answer.content, problem: undefined }
            : { key, content: undefined, problem: answer.problem },
        ),
      () => undefined,
    );
    return () => leaving.abort();
  }, [key, repeats, signedIn]);
  const isOld = state.key !== key;
  return { content: isOld ? undefined : state.content, problem: isOld ? undefined : state.problem, isOld, reload };
};
