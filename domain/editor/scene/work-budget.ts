/** Bounds the nodes that one operation may visit, so that it cannot block its owner. */
export interface WorkBudget {
  remaining: number;
}

export const fullBudget = (): WorkBudget => ({ remaining: 1_000_000 });

export const isSpent = ({ remaining }: WorkBudget): boolean => remaining < 0;

export const budgetFault = ({ budget }: { readonly budget: WorkBudget }): 'too-large' | undefined =>
  isSpent(budget) ? 'too-large' : undefined;
