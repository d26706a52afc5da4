/** What may be looked at for one operation: nobody keeps an owner busy for seconds with one. */
export interface Effort {
  left: number;
}

export const fullEffort = (): Effort => ({ left: 1_000_000 });

export const isSpent = ({ left }: Effort): boolean => left < 0;

export const effortFault = ({ effort }: { readonly effort: Effort }): 'too-large' | undefined =>
  isSpent(effort) ? 'too-large' : undefined;
