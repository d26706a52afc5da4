/** A question before the page that shows a secret once is left, unless the secret was copied. */
import { useEffect } from 'preact/hooks';
import { guardLeaving } from './router';

const question = 'What is shown here is shown only once, and you have not copied it. Leave this page without it?';

/** Of the pages that are open: what was copied by a button or by hand holds the secret. */
const uncopied = new Set<string>();

export const noteCopied = (text: string): void => {
  for (const secret of uncopied) if (text.includes(secret)) uncopied.delete(secret);
};

const copied = (): void => noteCopied(String(getSelection()));

const warn = (event: BeforeUnloadEvent): void => {
  if (uncopied.size > 0) event.preventDefault();
};

/** Undefined: there is none yet, or none any more. */
export const useUnsavedSecret = (secret: string | undefined): void =>
  useEffect(() => {
    if (secret === undefined) return undefined;
    uncopied.add(secret);
    const release = guardLeaving(() => uncopied.size === 0 || confirm(question));
    addEventListener('beforeunload', warn);
    document.addEventListener('copy', copied);
    return () => {
      uncopied.delete(secret);
      release();
      removeEventListener('beforeunload', warn);
      document.removeEventListener('copy', copied);
    };
  }, [secret]);
