/** State of a device authorization request. */
import type { Instant } from '../../kernel/codec';
import type { GrantId } from '../ids';
import type { DeviceRequestEvent } from './events';

export type DeviceRequest = Extract<DeviceRequestEvent, { type: 'DeviceRequested' }>['data'];
export type DeviceApproval = Extract<DeviceRequestEvent, { type: 'DeviceApproved' }>['data'];

export type DeviceRequestState =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly request: DeviceRequest }
  | { readonly kind: 'denied'; readonly request: DeviceRequest }
  | { readonly kind: 'approved'; readonly request: DeviceRequest; readonly approval: DeviceApproval }
  | {
      readonly kind: 'redeemed';
      readonly request: DeviceRequest;
      readonly approval: DeviceApproval;
      readonly grantId: GrantId;
      readonly redeemedAt: Instant;
      readonly replayed: boolean;
    };

export const evolve = (state: DeviceRequestState, event: DeviceRequestEvent): DeviceRequestState => {
  switch (event.type) {
    case 'DeviceRequested':
      return state.kind === 'none' ? { kind: 'waiting', request: event.data } : state;
    case 'DeviceApproved':
      return state.kind === 'waiting' ? { kind: 'approved', request: state.request, approval: event.data } : state;
    case 'DeviceDenied':
      return state.kind === 'waiting' ? { kind: 'denied', request: state.request } : state;
    case 'DeviceRedeemed': {
      const { grantId, redeemedAt } = event.data;
      return state.kind === 'approved' ? { ...state, kind: 'redeemed', grantId, redeemedAt, replayed: false } : state;
    }
    case 'DeviceReplayed':
      return state.kind === 'redeemed' ? { ...state, replayed: true } : state;
  }
};
