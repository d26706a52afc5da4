/** What a person reads, and can do, where a film does not play. */
import type { PlaybackFault } from './engine/engine';

interface FaultWords {
  readonly title: string;
  readonly detail: string;
  /** Trying again may help. */
  readonly isTemporary: boolean;
}

const words: { readonly [Fault in PlaybackFault]: FaultWords } = {
  expired: {
    title: 'The film may no longer be played here',
    detail:
      'It is no longer shared here, or was open for too long. Load the page again; if that does not help, ask its owner for access.',
    isTemporary: true,
  },
  unreachable: {
    title: 'The film cannot be loaded now',
    detail:
      'The network or the service is away. It continues by itself when the network is back; you can also try again.',
    isTemporary: true,
  },
  missing: {
    title: 'A part of the film is not there',
    detail: 'It may have been replaced a moment ago. Try again; if it stays so, tell its owner to process it again.',
    isTemporary: true,
  },
  undecodable: {
    title: 'This browser cannot decode the film',
    detail: 'Try again, or choose another quality. If it stays so, use another browser.',
    isTemporary: true,
  },
  unsupported: {
    title: 'This browser plays none of the film’s formats',
    detail: 'Use a current version of Chrome, Edge, Firefox or Safari.',
    isTemporary: false,
  },
  protected: {
    title: 'The film’s key could not be loaded',
    detail: 'Your access may have ended, or the service is away. Try again; if it stays so, ask its owner for access.',
    isTemporary: true,
  },
};

export const wordsOf = (fault: PlaybackFault): FaultWords => words[fault];
