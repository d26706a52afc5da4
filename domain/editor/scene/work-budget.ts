/** What may be looked at for one operation: nobody keeps an owner busy for seconds with one. */
export interface WorkBudget {
  remaining: number;
}

export const fullBudget = (): WorkBudget => ({ remaining: 1_000_000 });

export const isSpent = ({ remaining }: WorkBudget): boolean => remaining < 0;

export const budgetFault = ({ budget }: { readonly budget: WorkBudget }): 'too-large' | undefined =>
  isSpent(budget) ? 'too-large' : undefined;
