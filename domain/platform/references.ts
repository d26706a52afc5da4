/** Events of this context refer to nothing outside the log. */
export { refersToNothing as context } from '../kernel/references';
