/** A question before the page with a filled form is left. */
import { useEffect } from 'preact/hooks';
import { guardLeaving } from './router';

const question = 'The form was filled in, and nothing is saved. Leave this page?';

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

export const useUnsavedInput = (isChanged: boolean): void =>
  useEffect(() => {
    if (!isChanged) return undefined;
    const release = guardLeaving(() => confirm(question));
    addEventListener('beforeunload', warn);
    return () => {
      release();
      removeEventListener('beforeunload', warn);
    };
  }, [isChanged]);
