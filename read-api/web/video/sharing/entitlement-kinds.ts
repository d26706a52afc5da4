/** Kinds of entitlements in words. */
import type { VideoEntitlement } from '../../../../packages/client/src/schemas';

export type EntitlementKind = VideoEntitlement['kind'];

export const kindLabels: { readonly [kind in EntitlementKind]: string } = {
  subscription: 'Subscription',
  purchase: 'Purchase',
  rental: 'Rental',
};

export const kindMeanings: { readonly [kind in EntitlementKind]: string } = {
  subscription: 'To all videos of the owner.',
  purchase: 'Of this video, for as long as it lasts.',
  rental: 'Of this video, until it ends.',
};

export const entitlementKinds = Object.keys(kindLabels) as readonly EntitlementKind[];

/** `a purchase or a rental`. */
export const oneOfKinds = (kinds: readonly EntitlementKind[]): string => kinds.map((kind) => `a ${kind}`).join(' or ');

interface Period {
  readonly beginsAt: string;
  readonly endsAt: string | null;
}

export const periodState = ({ beginsAt, endsAt }: Period, now: number): 'begins later' | 'holds' | 'has ended' => {
  if (Date.parse(beginsAt) > now) return 'begins later';
  return endsAt === null || Date.parse(endsAt) > now ? 'holds' : 'has ended';
};
