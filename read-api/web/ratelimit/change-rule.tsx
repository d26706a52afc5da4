/** Below a rule: where it comes from, and commands to copy that change it. */
import type { RateLimitRule } from '../../../packages/client/src/schemas';
import { CopyButton } from '../components/copy-button';
import { guidePath } from '../components/guide';
import { changeCommands, isReloaded, originOf, type PolicyPlace } from './rule-change';

interface Props {
  readonly rule: RateLimitRule;
  readonly policy: PolicyPlace;
  readonly isOpen: boolean;
}

export const ChangeRule = ({ rule, policy, isOpen }: Props) => {
  const commands = changeCommands(rule, policy).join('\n');
  return (
    <details class="change-rule" open={isOpen}>
      <summary>{originOf(policy)} Change it</summary>
      <p class="help">In the folder of Septet, an operator doubles this limit with:</p>
      <div class="copy-below">
        <CopyButton text={commands} label="Copy the commands" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{commands}</pre>
      <p class="help">
        {isReloaded(policy)
          ? 'The limiter applies the file a second later, without a restart. '
          : 'Stop Septet before the last command, and add the options you usually start it with, such as --data. '}
        <a href={guidePath('limits')}>Raise a limit, step by step</a>
      </p>
    </details>
  );
};
