export { type Budget, openBudget } from './budget';
export {
  type ExpressionLibrary,
  type Expressions,
  loadExpressionLibrary,
  openExpressions,
  type Scope,
  type Status,
} from './expressions';
export { conditionExpression, templateParts } from './templates';
