/** Why a shared video does not play, and what helps. What is gone, private, or opened by an old link is answered alike. */
import type { Problem } from '../../kernel/problem';

interface RefusalWords {
  readonly title: string;
  readonly detail: string;
  /** Trying again may help. */
  readonly isTemporary?: boolean;
  /** A person may see it who has an account. */
  readonly isForPeople?: boolean;
}

const unknown: RefusalWords = {
  title: 'This video is not here for you',
  detail:
    'It may have been deleted, be private now, or have another link. Check that the address is complete, or request the current one from the sender. Does the owner share it with you by name? Then sign in.',
  isForPeople: true,
};

const words: { readonly [code: string]: RefusalWords } = {
  'entitlement-required': {
    title: 'This video needs a subscription, a purchase or a rental',
    detail: 'Sign in with the account that has it. If yours has none, its owner can grant it.',
    isForPeople: true,
  },
  'not-playable': {
    title: 'This video is not ready yet',
    detail: 'It is being processed. This page begins to play it as soon as that is possible.',
  },
  'video-failed': { title: 'This video cannot be played', detail: 'Its processing failed. Tell its owner.' },
  'video-recalled': {
    title: 'This video was withdrawn',
    detail: 'Its owner destroyed its keys, so it can no longer be played.',
  },
  unreachable: {
    title: 'The server cannot be reached',
    detail: 'Check the connection, then try again.',
    isTemporary: true,
  },
};

const tooMany: RefusalWords = {
  title: 'Too many requests come from your network',
  detail: 'Wait a minute, then try again.',
  isTemporary: true,
};

const unavailable: RefusalWords = {
  title: 'The video cannot be played now',
  detail: 'The service is away for a moment. Try again in a few minutes.',
  isTemporary: true,
};

const wordsOf = ({ status, code }: Problem): RefusalWords => {
  if (status === 404 || status === 400) return unknown;
  if (status === 429) return tooMany;
  return words[code] ?? unavailable;
};

interface Props {
  readonly problem: Problem;
  readonly signInHref: string | undefined;
  readonly retry: () => void;
}

export const SharedRefusal = ({ problem, signInHref, retry }: Props) => {
  const { title, detail, isTemporary = false, isForPeople = false } = wordsOf(problem);
  return (
    <div class="notice" role="alert">
      <h1>{title}</h1>
      <p>{detail}</p>
      {(isTemporary || (isForPeople && signInHref !== undefined)) && (
        <div class="actions">
          {isTemporary ? (
            <button type="button" class="button" onClick={retry}>
              Try again
            </button>
          ) : (
            <a class="button" href={signInHref}>
              Sign in
            </a>
          )}
        </div>
      )}
    </div>
  );
};
