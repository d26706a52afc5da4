/** State of an authorization code. */
import type { Instant } from '../../kernel/codec';
import type { GrantId } from '../ids';
import type { CodeEvent } from './events';

export type IssuedCode = Extract<CodeEvent, { type: 'CodeIssued' }>['data'];

interface Redemption {
  readonly code: IssuedCode;
  readonly grantId: GrantId;
  readonly redeemedAt: Instant;
  readonly replayed: boolean;
}

export type CodeState =
  | { readonly kind: 'none' }
  | { readonly kind: 'issued'; readonly code: IssuedCode }
  | ({ readonly kind: 'redeemed' } & Redemption);

export const evolve = (state: CodeState, event: CodeEvent): CodeState => {
  if (event.type === 'CodeIssued') return state.kind === 'none' ? { kind: 'issued', code: event.data } : state;
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'CodeRedeemed': {
      const { grantId, redeemedAt } = event.data;
      return state.kind === 'issued'
        ? { kind: 'redeemed', code: state.code, grantId, redeemedAt, replayed: false }
        : state;
    }
    case 'CodeReplayed':
      return state.kind === 'redeemed' ? { ...state, replayed: true } : state;
  }
};
